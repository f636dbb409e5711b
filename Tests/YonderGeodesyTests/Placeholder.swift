enum PlaceholderGeodesyTests {}
