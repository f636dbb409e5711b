extension Entity {
    /// The field by which its objects are found on the map.
    ///
    /// - Parameter name: Which one the caller means, or `nil` for the one there is.
    /// - Returns: The field.
    /// - Throws: ``SharingError`` with code `unknownField` if it has none of this name, and `invalidField` if that one, or
    ///   none, holds a location.
    public func locationField(_ name: FieldName?) throws(SharingError) -> Field {
        guard let location = locationField, name == nil || name == location.name else {
            guard name.map({ field($0) != nil }) ?? true else {
                throw SharingError(.unknownField, "\(self.name) has no field of this name.")
            }
            throw SharingError(
                .invalidField,
                "\(name?.description ?? self.name.description) holds no location."
            )
        }
        return location
    }
}
