enum PlaceholderYonderTracks {}
