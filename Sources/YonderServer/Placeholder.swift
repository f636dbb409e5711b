enum PlaceholderYonderServer {}
