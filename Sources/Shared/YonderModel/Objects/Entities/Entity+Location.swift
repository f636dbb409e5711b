// Requests and frames about regions name a field, or none; the server refuses them with what this throws
// (`Documentation/objects.md`).
extension Entity {
    /// Returns the location field by which objects are found on the map.
    ///
    /// - Parameter name: The field that the caller named, or `nil` for the entity's only location field.
    /// - Returns: The field.
    /// - Throws: ``SharingError`` with code `unknownField` if the entity has no field of this name;
    ///   `invalidField` if that field, or no field at all, holds a location.
    public func locationField(_ name: FieldName?) throws(SharingError) -> Field {
        guard let location = locationField, name == nil || name == location.name else {
            guard name.map({ field($0) != nil }) ?? true else {
                throw unknownField(name?.description ?? "", in: "field")
            }
            let message = name.map { "field: \($0) must be a location field." }
            throw SharingError(
                .invalidField,
                message ?? "field: \(self.name) must have a location field; it has none."
            )
        }
        return location
    }
}
