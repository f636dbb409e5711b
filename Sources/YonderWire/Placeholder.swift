enum PlaceholderYonderWire {}
