enum PlaceholderYonderGeodesy {}
