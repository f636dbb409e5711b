enum PlaceholderYonderModel {}
