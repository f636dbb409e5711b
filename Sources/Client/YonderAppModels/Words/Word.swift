// Longer than 400 lines: Swift has the cases of an enumeration in one file, and one enumeration lists every text, so that the tests find a
// text that a language lacks.

/// A text of the app's screens; ``Language`` has it in each language.
///
/// The raw value is the text's key. A text that the web page has, too, has the page's key; the others begin with `app.`, and
/// refusals with `error:` and the code of a `SharingError`. In braces stand the values that ``AppContext/say(_:_:count:)`` puts in.
///
/// Models ask `AppContext.say` for a text, with the values for its braces; `English.swift` and `German.swift` have the words,
/// and a missing one stops the build, as these switch over every case. A text with braces that differ between languages, or
/// with other words than the page's for the page's key, fails a test (`WordsTests`). Words may change there and in `Web`
/// together; a raw value must stay the page's key, or the server's code behind `error:`. A refusal without a word is shown as
/// the server wrote it.
public enum Word: String, Hashable, Sendable, CaseIterable {
    /// “Cancel”.
    case pageCancel = "page.cancel"
    /// “Dismiss”.
    case pageDismiss = "page.dismiss"
    /// “Chats”.
    case pageChats = "page.chats"
    /// “Contacts”.
    case pageContacts = "page.contacts"
    /// “World”.
    case pageWorld = "page.world"
    /// “You”.
    case pageYou = "page.you"
    /// “Places”.
    case pagePlaces = "page.places"
    /// “the world”.
    case pageTheWorld = "page.theWorld"
    /// “a chat”.
    case pageAChat = "page.aChat"
    /// “Loading…”.
    case pageLoading = "page.loading"
    /// “Connecting…”.
    case pageConnecting = "page.connecting"
    /// “Try again”.
    case pageTryAgain = "page.tryAgain"
    /// “Saved.”.
    case pageSaved = "page.saved"
    /// “Your session has ended. Please sign in again.”.
    case pageSessionEnded = "page.sessionEnded"

    /// “just now”.
    case peopleJustNow = "people.justNow"

    /// “People”.
    case chatPeople = "chat.people"
    /// “{name} (you)”.
    case chatYou = "chat.you"
    /// “Shares no position here”.
    case chatNeverShared = "chat.neverShared"
    /// “This chat isn’t here”.
    case chatMissing = "chat.missing"
    /// “You aren’t in it, or not any more.”.
    case chatMissingHint = "chat.missingHint"
    /// “View all locations”.
    case chatViewAll = "chat.viewAll"
    /// “You view the last location of each person.”.
    case chatViewsLast = "chat.viewsLast"
    /// “Everywhere each person has been. Switch off to view the last location.”.
    case chatViewsAll = "chat.viewsAll"

    /// “The positions are on their way.”.
    case positionsComing = "positions.coming"
    /// “{count} positions so far, since {since}. Earlier ones are on their way.”.
    case positionsLoading = "positions.loading"
    /// “Everywhere each person has been: {count} positions.”.
    case positionsWhole = "positions.whole"
    /// “Everywhere since {since}: {count} positions. There are earlier ones.”.
    case positionsFull = "positions.full"
    /// “Everywhere since {since}: {count} positions. This chat keeps positions {keeping}.”.
    case positionsKept = "positions.kept"
    /// “Everywhere since {since}: {count} positions. You see none from before you joined.”.
    case positionsJoined = "positions.joined"
    /// “{count} positions from {since} until {until}. There are earlier ones.”.
    case positionsBetween = "positions.between"
    /// “{count} positions from {since} until {until}, the first ones.”.
    case positionsBetweenFirst = "positions.betweenFirst"
    /// “Switch off to view the last location.”.
    case positionsOff = "positions.off"
    /// “Show earlier ones”.
    case positionsEarlier = "positions.earlier"
    /// “Show the newest”.
    case positionsNewest = "positions.newest"

    /// “for one day”.
    case chatsKeepDay = "chats.keepDay"
    /// “for 30 days”.
    case chatsKeepMonth = "chats.keepMonth"
    /// “for one year”.
    case chatsKeepYear = "chats.keepYear"
    /// “for ever”.
    case chatsKeepForever = "chats.keepForever"

    /// “now”.
    case ageNow = "age.now"
    /// “{count} min”.
    case ageMinutes = "age.minutes"
    /// “{count} h”.
    case ageHours = "age.hours"

    /// “since {time}”.
    case freshSince = "fresh.since"
    /// “here since {time}”.
    case freshHereSince = "fresh.hereSince"
    /// “reports every {time}”.
    case freshReportsEvery = "fresh.reportsEvery"
    /// “no news since {time}”.
    case freshNoNewsSince = "fresh.noNewsSince"
    /// “battery {percent}”.
    case freshBattery = "fresh.battery"
    /// “phone not reached”.
    case freshNotReached = "fresh.notReached"
    /// “stopped {time}”.
    case freshStoppedAt = "fresh.stoppedAt"
    /// “arrived {time}”.
    case freshArrivedAt = "fresh.arrivedAt"
    /// “stopped sharing”.
    case freshStoppedSharing = "fresh.stoppedSharing"
    /// “arrived”.
    case freshArrived = "fresh.arrived"
    /// “position not found yet”.
    case freshNoFix = "fresh.noFix"
    /// “paused”.
    case freshPaused = "fresh.paused"
    /// “power saver”.
    case freshPowerSaver = "fresh.powerSaver"
    /// “rough position only”.
    case freshCoarse = "fresh.coarse"

    /// “People on the map”.
    case mapPeople = "map.people"
    /// “Show everybody”.
    case mapFit = "map.fit"
    /// “My place”.
    case mapOwn = "map.own"

    /// “Follow”.
    case personFollowShort = "person.followShort"
    /// “Follow {name} on the map”.
    case personFollow = "person.follow"
    /// “to within {distance}”.
    case personWithin = "person.within"

    /// “Connecting again…”.
    case statusConnecting = "status.connecting"

    /// “Who can see me”.
    case seenTitle = "seen.title"
    /// “{count} people can see where you are.”.
    case seenPeople = "seen.people"
    /// “The whole world can see where you are, without your name.”.
    case seenWorldAlone = "seen.worldAlone"
    /// “The whole world can see where you are, and {count} people know that it is you.”.
    case seenWorldAndPeople = "seen.worldAndPeople"
    /// “Stop everywhere”.
    case seenStopEverywhere = "seen.stopEverywhere"
    /// “Stop sharing in {chat}”.
    case seenStopIn = "seen.stopIn"

    /// “Share my position”.
    case sharingShare = "sharing.share"
    /// “Share · {time}”.
    case sharingShareForButton = "sharing.shareForButton"
    /// “15 min”.
    case sharingQuarter = "sharing.quarter"
    /// “1 hour”.
    case sharingHour = "sharing.hour"
    /// “8 hours”.
    case sharingEight = "sharing.eight"
    /// “until {time}”.
    case sharingUntil = "sharing.until"
    /// “until a time”.
    case sharingUntilTime = "sharing.untilTime"
    /// “until I stop”.
    case sharingUntilStop = "sharing.untilStop"
    /// “You share here”.
    case sharingYouShareHere = "sharing.youShareHere"
    /// “until {time} · {left} left”.
    case sharingEndsAt = "sharing.endsAt"
    /// “until you stop”.
    case sharingUntilYouStop = "sharing.untilYouStop"
    /// “until you arrive”.
    case sharingUntilYouArrive = "sharing.untilYouArrive"
    /// “+ 1 h”.
    case sharingHourMore = "sharing.hourMore"
    /// “Stop”.
    case sharingStop = "sharing.stop"
    /// “from another device”.
    case sharingElsewhere = "sharing.elsewhere"
    /// “Go on”.
    case sharingGoOn = "sharing.goOn"
    /// “For how long”.
    case sharingHowLong = "sharing.howLong"
    /// “Afterwards”.
    case sharingAfterwards = "sharing.afterwards"
    /// “Keep”.
    case sharingKeep = "sharing.keep"
    /// “Erase at the end”.
    case sharingErase = "sharing.erase"
    /// “Take it back”.
    case sharingTakeBack = "sharing.takeBack"
    /// “Nothing was shared: the server did not answer for two minutes.”.
    case sharingNotStarted = "sharing.notStarted"
    /// “Stopping…”.
    case sharingStopping = "sharing.stopping"
    /// “Stopping: not sent yet”.
    case sharingStoppingLater = "sharing.stoppingLater"
    /// “Your sharing with {place} ended.”.
    case sharingEnded = "sharing.ended"
    /// “Nothing was shared.”.
    case sharingNothingShared = "sharing.nothingShared"
    /// “Your device doesn’t know where it is. It keeps trying.”.
    case sharingUnknown = "sharing.unknown"
    /// “Finding where you are…”.
    case sharingFinding = "sharing.finding"

    /// “See where your people are”.
    case welcomeTitle = "welcome.title"
    /// “Live location sharing on a server of your own: with whom you choose, for as long as you choose.”.
    case welcomeLead = "welcome.lead"

    /// “Login”.
    case signInLogin = "signIn.login"
    /// “Password”.
    case signInPassword = "signIn.password"
    /// “Sign in”.
    case signInSignIn = "signIn.signIn"
    /// “Sign-in link”.
    case signInLink = "signIn.link"
    /// “Use this link”.
    case signInUseLink = "signIn.useLink"

    /// “You”.
    case settingsTitle = "settings.title"
    /// “How others see you”.
    case settingsProfile = "settings.profile"
    /// “Name”.
    case settingsName = "settings.name"
    /// “E-mail, seen by people you chat with”.
    case settingsEmail = "settings.email"
    /// “Save”.
    case settingsSave = "settings.save"
    /// “Sign out”.
    case settingsSignOut = "settings.signOut"
    /// “Signing out stops sharing from here. Your chats and contacts stay on the server; to come back, you need your login and password, or a new
    /// sign-in link.”.
    case settingsSignOutHint = "settings.signOutHint"

    /// “Chats”.
    case chatsTitle = "chats.title"
    /// “New chat”.
    case chatsNew = "chats.new"
    /// “Search the chats”.
    case chatsSearch = "chats.search"
    /// “No chat of that name.”.
    case chatsNotFound = "chats.notFound"
    /// “No chats yet”.
    case chatsNone = "chats.none"
    /// “A chat is a map that you share with some people. Start one with your contacts.”.
    case chatsNoneHint = "chats.noneHint"
    /// “Only you”.
    case chatsOnlyYou = "chats.onlyYou"
    /// “Just the two of you”.
    case chatsTwoOfYou = "chats.twoOfYou"
    /// “They left; start it again from Contacts”.
    case chatsTheyLeft = "chats.theyLeft"
    /// “{count} people”.
    case chatsPeople = "chats.people"
    /// “{names} and {more} more”.
    case chatsAndMore = "chats.andMore"
    /// “{count} new messages”.
    case chatsUnread = "chats.unread"
    /// “{count} selected”.
    case chatsSelected = "chats.selected"
    /// “With whom?”.
    case chatsWithWhom = "chats.withWhom"
    /// “What is it about? (optional)”.
    case chatsAbout = "chats.about"
    /// “Sunday walk”.
    case chatsAboutExample = "chats.aboutExample"
    /// “Kind of chat”.
    case chatsKind = "chats.kind"
    /// “Just the two of us”.
    case chatsTwo = "chats.two"
    /// “A new group”.
    case chatsGroup = "chats.group"
    /// “Start the chat”.
    case chatsStart = "chats.start"
    /// “You two have this chat already.”.
    case chatsExisted = "chats.existed"

    /// “Messages”.
    case messagesTitle = "messages.title"
    /// “{count} new”.
    case messagesNew = "messages.new"
    /// “Nothing said yet”.
    case messagesNone = "messages.none"
    /// “Write the first message below.”.
    case messagesNoneHint = "messages.noneHint"
    /// “Message”.
    case messagesMessage = "messages.message"
    /// “Send”.
    case messagesSend = "messages.send"
    /// “Waiting to be sent…”.
    case messagesWaiting = "messages.waiting"
    /// “You: {text}”.
    case messagesYouWrote = "messages.youWrote"
    /// “{name}: {text}”.
    case messagesWrote = "messages.wrote"
    /// “This message was taken back.”.
    case messagesTakenBack = "messages.takenBack"
    /// “Place”.
    case messagesPlace = "messages.place"
    /// “Photo”.
    case messagesPhoto = "messages.photo"
    /// “This message has expired.”.
    case messagesExpired = "messages.expired"

    /// “Contacts”.
    case contactsTitle = "contacts.title"
    /// “Search”.
    case contactsSearch = "contacts.search"
    /// “Nobody of that name.”.
    case contactsNotFound = "contacts.notFound"
    /// “Nobody here yet”.
    case contactsNone = "contacts.none"
    /// “Invite people with a link. Once they accept, you can start a chat and see each other on the map.”.
    case contactsNoneHint = "contacts.noneHint"

    /// “World”.
    case worldTitle = "world.title"
    /// “Nobody else is connected now”.
    case worldNobody = "world.nobody"
    /// “{count} others are connected now”.
    case worldOthers = "world.others"
    /// “Show me in the world”.
    case worldShowMe = "world.showMe"
    /// “Anybody who looks would see your position, without your name.”.
    case worldShowMeHint = "world.showMeHint"
    /// “This world is closed”.
    case worldClosed = "world.closed"
    /// “The operator of this server switched it off. Your chats work as ever.”.
    case worldClosedHint = "world.closedHint"

    /// “Places”.
    case placesTitle = "places.title"
    /// “Places in view”.
    case placesList = "places.list"
    /// “Nothing here. Move or zoom the map to look elsewhere.”.
    case placesNothingHere = "places.nothingHere"
    /// “Looking…”.
    case placesLooking = "places.looking"
    /// “Open”.
    case placesOpen = "places.open"
    /// “Open {name}”.
    case placesOpenNamed = "places.openNamed"
    /// “No places here”.
    case placesNoneHere = "places.noneHere"
    /// “No places here.”.
    case placesNoneHereSpoken = "places.noneHereSpoken"
    /// “{listed} of {total}”.
    case placesSome = "places.some"
    /// “{listed} of {total} places here are shown.”.
    case placesSomeSpoken = "places.someSpoken"
    /// “{total} places”.
    case placesAll = "places.all"
    /// “{total} places here.”.
    case placesAllSpoken = "places.allSpoken"

    /// “This place isn’t here any more.”.
    case placeGoneNow = "place.goneNow"

    /// “The server can’t be reached. Check the connection and try again.”.
    case errorUnreachable = "error:unreachable"
    /// “The server answered with an error. Try again.”.
    case errorInternalError = "error:internalError"
    /// “You aren’t signed in.”.
    case errorNotSignedIn = "error:notSignedIn"
    /// “The login, password or link is wrong or no longer good.”.
    case errorInvalidCredentials = "error:invalidCredentials"
    /// “This password was set on a larger server, so it can’t be checked here. Sign in with a link, and set a new password.”.
    case errorPasswordNotChecked = "error:passwordNotChecked"
    /// “There is no such chat.”.
    case errorUnknownChat = "error:unknownChat"
    /// “There is no such person.”.
    case errorUnknownUser = "error:unknownUser"
    /// “You aren’t in this chat any more.”.
    case errorNotParticipant = "error:notParticipant"
    /// “This chat takes no more messages.”.
    case errorClosedChat = "error:closedChat"
    /// “This can’t be done in a chat of two.”.
    case errorOneToOne = "error:oneToOne"
    /// “This sharing is over.”.
    case errorShareEnded = "error:shareEnded"
    /// “There is no such sharing.”.
    case errorUnknownShare = "error:unknownShare"
    /// “You may not do this.”.
    case errorNotAllowed = "error:notAllowed"
    /// “That was too often. Wait a moment.”.
    case errorTooManyRequests = "error:tooManyRequests"
    /// “That is too large.”.
    case errorTooLarge = "error:tooLarge"
    /// “This message is too long.”.
    case errorMessageTooLarge = "error:messageTooLarge"
    /// “This person is no contact of yours.”.
    case errorUnknownInvitee = "error:unknownInvitee"
    /// “There are too many already.”.
    case errorTooMany = "error:tooMany"
    /// “The server doesn’t accept one of these values.”.
    case errorInvalidField = "error:invalidField"
    /// “This account is disabled.”.
    case errorAccountDisabled = "error:accountDisabled"
    /// “The world of this server is not open.”.
    case errorWorldClosed = "error:worldClosed"

    /// “Server”.
    case appServer = "app.server"
    /// “https://yonder.example.org”.
    case appServerExample = "app.serverExample"
    /// “Type your server’s address, or paste the whole link.”.
    case appNoServer = "app.noServer"
    /// “That is no address of a server. It begins with https://.”.
    case appBadServer = "app.badServer"
    /// “Signed in as {name}”.
    case appSignedInAs = "app.signedInAs"
    /// “{age} ago”.
    case appAgo = "app.ago"
    /// “connected now”.
    case appConnectedNow = "app.connectedNow"
    /// “{count} people are connected”.
    case appConnectedCount = "app.connectedCount"
    /// “Stop following”.
    case appUnfollow = "app.unfollow"
    /// “You share in {place}”.
    case appShareFor = "app.shareFor"
    /// “Yonder asks for your position when you share it.”.
    case appAskPermission = "app.askPermission"
    /// “Yonder may not see your position. Allow it in the settings of this device, under Location.”.
    case appDenied = "app.denied"
    /// “This device doesn’t let Yonder see your position.”.
    case appRestricted = "app.restricted"
    /// “Location is switched off on this device. Switch it on in the settings.”.
    case appServicesOff = "app.servicesOff"
    /// “The others see your last position.”.
    case appSeenAsBefore = "app.seenAsBefore"
    /// “You share your position until {time}”.
    case appPocketUntil = "app.pocketUntil"
    /// “You share your position until you stop”.
    case appPocketUntilStop = "app.pocketUntilStop"
    /// “Shares as soon as there is a connection.”.
    case appAwaited = "app.awaited"
    /// “The stop isn’t sent yet. Leave Yonder open until there is a connection: until then the others see your last position.”.
    case appStopNeedsApp = "app.stopNeedsApp"
    /// “The stop is sent once there is a connection, also when you open Yonder again. Until then the others see your last position.”.
    case appStopIsKept = "app.stopIsKept"
    /// “Nobody sees where you are.”.
    case appNobodySees = "app.nobodySees"
    /// “Someone {id}”.
    case appStranger = "app.stranger"
    /// “Zoom to me”.
    case appZoomToMe = "app.zoomToMe"
    /// “Follow me”.
    case appFollowMe = "app.followMe"
    /// “Hide me”.
    case appHideMe = "app.hideMe"
    /// “Everybody in the world can see where you are, without your name.”.
    case appShown = "app.shown"
    /// “{places} · as seen before”.
    case appCached = "app.cached"
}
