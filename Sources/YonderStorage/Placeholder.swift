enum PlaceholderYonderStorage {}
