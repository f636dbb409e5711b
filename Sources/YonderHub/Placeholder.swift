enum PlaceholderYonderHub {}
