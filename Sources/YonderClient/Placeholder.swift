enum PlaceholderYonderClient {}
