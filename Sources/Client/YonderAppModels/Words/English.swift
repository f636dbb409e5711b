// The app's texts in English, for `Language`. `WordsTests` fails for a text that is missing, for one whose values in braces
// differ from those of another language, and for one that differs from the web page's text of the same key: change both.
// `AppContext.say` reads it by way of `Language.table`, for every text of a screen, also for people whose languages aren't
// here. It can't fail at run time: the switch has every case of `Word`, or nothing compiles. A word may change here and on
// the page; the names in braces must stay, as models fill in values by them.
extension Phrase {
    /// Every text in English.
    static let english: [Word: Phrase] = [
        .pageCancel: "Cancel",
        .pageDismiss: "Dismiss",
        .pageChats: "Chats",
        .pageContacts: "Contacts",
        .pageWorld: "World",
        .pageYou: "You",
        .pagePlaces: "Places",
        .pageTheWorld: "the world",
        .pageAChat: "a chat",
        .pageLoading: "Loading…",
        .pageConnecting: "Connecting…",
        .pageTryAgain: "Try again",
        .pageSaved: "Saved.",
        .pageSessionEnded: "Your session has ended. Please sign in again.",

        .peopleJustNow: "just now",

        .chatPeople: "People",
        .chatYou: "{name} (you)",
        .chatNeverShared: "Shares no position here",
        .chatMissing: "This chat isn’t here",
        .chatMissingHint: "You aren’t in it, or not any more.",
        .chatViewAll: "View all locations",
        .chatViewsLast: "You view the last location of each person.",
        .chatViewsAll: "Everywhere each person has been. Switch off to view the last location.",

        .positionsComing: "The positions are on their way.",
        .positionsLoading: .counted(
            one: "One position so far, since {since}. Earlier ones are on their way.",
            other: "{count} positions so far, since {since}. Earlier ones are on their way."
        ),
        .positionsWhole: .counted(
            one: "Everywhere each person has been: one position.",
            other: "Everywhere each person has been: {count} positions."
        ),
        .positionsFull: .counted(
            one: "Everywhere since {since}: one position. There are earlier ones.",
            other: "Everywhere since {since}: {count} positions. There are earlier ones."
        ),
        .positionsKept: .counted(
            one: "Everywhere since {since}: one position. This chat keeps positions {keeping}.",
            other: "Everywhere since {since}: {count} positions. This chat keeps positions {keeping}."
        ),
        .positionsJoined: .counted(
            one: "Everywhere since {since}: one position. You see none from before you joined.",
            other: "Everywhere since {since}: {count} positions. You see none from before you joined."
        ),
        .positionsBetween: .counted(
            one: "One position of {since}. There are earlier ones.",
            other: "{count} positions from {since} until {until}. There are earlier ones."
        ),
        .positionsBetweenFirst: .counted(
            one: "One position of {since}, the first one.",
            other: "{count} positions from {since} until {until}, the first ones."
        ),
        .positionsOff: "Switch off to view the last location.",
        .positionsEarlier: "Show earlier ones",
        .positionsNewest: "Show the newest",

        .chatsKeepDay: "for one day",
        .chatsKeepMonth: "for 30 days",
        .chatsKeepYear: "for one year",
        .chatsKeepForever: "for ever",

        .ageNow: "now",
        .ageMinutes: "{count} min",
        .ageHours: "{count} h",

        .freshSince: "since {time}",
        .freshHereSince: "here since {time}",
        .freshReportsEvery: "reports every {time}",
        .freshNoNewsSince: "no news since {time}",
        .freshBattery: "battery {percent}",
        .freshNotReached: "phone not reached",
        .freshStoppedAt: "stopped {time}",
        .freshArrivedAt: "arrived {time}",
        .freshStoppedSharing: "stopped sharing",
        .freshArrived: "arrived",
        .freshNoFix: "position not found yet",
        .freshPaused: "paused",
        .freshPowerSaver: "power saver",
        .freshCoarse: "rough position only",

        .mapPeople: "People on the map",
        .mapFit: "Show everybody",
        .mapOwn: "My place",

        .personFollowShort: "Follow",
        .personFollow: "Follow {name} on the map",
        .personWithin: "to within {distance}",

        .statusConnecting: "Connecting again…",

        .seenTitle: "Who can see me",
        .seenPeople: .counted(
            one: "One person can see where you are.",
            other: "{count} people can see where you are."
        ),
        .seenWorldAlone: "The whole world can see where you are, without your name.",
        .seenWorldAndPeople: .counted(
            one: "The whole world can see where you are, and one person knows that it is you.",
            other: "The whole world can see where you are, and {count} people know that it is you."
        ),
        .seenStopEverywhere: "Stop everywhere",
        .seenStopIn: "Stop sharing in {chat}",

        .sharingShare: "Share my position",
        .sharingShareForButton: "Share · {time}",
        .sharingQuarter: "15 min",
        .sharingHour: "1 hour",
        .sharingEight: "8 hours",
        .sharingUntil: "until {time}",
        .sharingUntilTime: "until a time",
        .sharingUntilStop: "until I stop",
        .sharingYouShareHere: "You share here",
        .sharingEndsAt: "until {time} · {left} left",
        .sharingUntilYouStop: "until you stop",
        .sharingUntilYouArrive: "until you arrive",
        .sharingHourMore: "+ 1 h",
        .sharingStop: "Stop",
        .sharingElsewhere: "from another device",
        .sharingGoOn: "Go on",
        .sharingHowLong: "For how long",
        .sharingAfterwards: "Afterwards",
        .sharingKeep: "Keep",
        .sharingErase: "Erase at the end",
        .sharingTakeBack: "Take it back",
        .sharingNotStarted: "Nothing was shared: the server did not answer for two minutes.",
        .sharingStopping: "Stopping…",
        .sharingStoppingLater: "Stopping: not sent yet",
        .sharingEnded: "Your sharing with {place} ended.",
        .sharingNothingShared: "Nothing was shared.",
        .sharingUnknown: "Your device doesn’t know where it is. It keeps trying.",
        .sharingFinding: "Finding where you are…",

        .welcomeTitle: "See where your people are",
        .welcomeLead:
            "Live location sharing on a server of your own: with whom you choose, for as long as you choose.",

        .signInLogin: "Login",
        .signInPassword: "Password",
        .signInSignIn: "Sign in",
        .signInLink: "Sign-in link",
        .signInUseLink: "Use this link",

        .settingsTitle: "You",
        .settingsProfile: "How others see you",
        .settingsName: "Name",
        .settingsEmail: "E-mail, seen by people you chat with",
        .settingsSave: "Save",
        .settingsSignOut: "Sign out",
        .settingsSignOutHint:
            "Signing out stops sharing from here. Your chats and contacts stay on the server; to come back, you need your login and password, or a new sign-in link.",

        .chatsTitle: "Chats",
        .chatsNew: "New chat",
        .chatsSearch: "Search the chats",
        .chatsNotFound: "No chat of that name.",
        .chatsNone: "No chats yet",
        .chatsNoneHint: "A chat is a map that you share with some people. Start one with your contacts.",
        .chatsOnlyYou: "Only you",
        .chatsTwoOfYou: "Just the two of you",
        .chatsTheyLeft: "They left; start it again from Contacts",
        .chatsPeople: .counted(one: "One person", other: "{count} people"),
        .chatsAndMore: "{names} and {more} more",
        .chatsUnread: .counted(one: "One new message", other: "{count} new messages"),
        .chatsSelected: .counted(one: "{count} selected", other: "{count} selected"),
        .chatsWithWhom: "With whom?",
        .chatsAbout: "What is it about? (optional)",
        .chatsAboutExample: "Sunday walk",
        .chatsKind: "Kind of chat",
        .chatsTwo: "Just the two of us",
        .chatsGroup: "A new group",
        .chatsStart: "Start the chat",
        .chatsExisted: "You two have this chat already.",

        .messagesTitle: "Messages",
        .messagesNew: .counted(one: "{count} new", other: "{count} new"),
        .messagesNone: "Nothing said yet",
        .messagesNoneHint: "Write the first message below.",
        .messagesMessage: "Message",
        .messagesSend: "Send",
        .messagesWaiting: "Waiting to be sent…",
        .messagesYouWrote: "You: {text}",
        .messagesWrote: "{name}: {text}",
        .messagesTakenBack: "This message was taken back.",
        .messagesPlace: "Place",
        .messagesPhoto: "Photo",
        .messagesExpired: "This message has expired.",

        .contactsTitle: "Contacts",
        .contactsSearch: "Search",
        .contactsNotFound: "Nobody of that name.",
        .contactsNone: "Nobody here yet",
        .contactsNoneHint:
            "Invite people with a link. Once they accept, you can start a chat and see each other on the map.",

        .worldTitle: "World",
        .worldNobody: "Nobody else is connected now",
        .worldOthers: .counted(one: "One other is connected now", other: "{count} others are connected now"),
        .worldShowMe: "Show me in the world",
        .worldShowMeHint: "Anybody who looks would see your position, without your name.",
        .worldClosed: "This world is closed",
        .worldClosedHint: "The operator of this server switched it off. Your chats work as ever.",

        .placesTitle: "Places",
        .placesList: "Places in view",
        .placesNothingHere: "Nothing here. Move or zoom the map to look elsewhere.",
        .placesLooking: "Looking…",
        .placesOpen: "Open",
        .placesOpenNamed: "Open {name}",
        .placesNoneHere: "No places here",
        .placesNoneHereSpoken: "No places here.",
        .placesSome: "{listed} of {total}",
        .placesSomeSpoken: "{listed} of {total} places here are shown.",
        .placesAll: .counted(one: "{total} place", other: "{total} places"),
        .placesAllSpoken: .counted(one: "One place here.", other: "{total} places here."),

        .placeGoneNow: "This place isn’t here any more.",

        .errorUnreachable: "The server can’t be reached. Check the connection and try again.",
        .errorInternalError: "The server answered with an error. Try again.",
        .errorNotSignedIn: "You aren’t signed in.",
        .errorInvalidCredentials: "The login, password or link is wrong or no longer good.",
        .errorPasswordNotChecked:
            "This password was set on a larger server, so it can’t be checked here. Sign in with a link, and set a new password.",
        .errorUnknownChat: "There is no such chat.",
        .errorUnknownUser: "There is no such person.",
        .errorNotParticipant: "You aren’t in this chat any more.",
        .errorClosedChat: "This chat takes no more messages.",
        .errorOneToOne: "This can’t be done in a chat of two.",
        .errorShareEnded: "This sharing is over.",
        .errorUnknownShare: "There is no such sharing.",
        .errorNotAllowed: "You may not do this.",
        .errorTooManyRequests: "That was too often. Wait a moment.",
        .errorTooLarge: "That is too large.",
        .errorMessageTooLarge: "This message is too long.",
        .errorUnknownInvitee: "This person is no contact of yours.",
        .errorTooMany: "There are too many already.",
        .errorInvalidField: "The server doesn’t accept one of these values.",
        .errorAccountDisabled: "This account is disabled.",
        .errorWorldClosed: "The world of this server is not open.",

        .appServer: "Server",
        .appServerExample: "https://yonder.example.org",
        .appNoServer: "Type your server’s address, or paste the whole link.",
        .appBadServer: "That is no address of a server. It begins with https://.",
        .appSignedInAs: "Signed in as {name}",
        .appAgo: "{age} ago",
        .appConnectedNow: "connected now",
        .appConnectedCount: .counted(one: "One person is connected", other: "{count} people are connected"),
        .appUnfollow: "Stop following",
        .appShareFor: "You share in {place}",
        .appAskPermission: "Yonder asks for your position when you share it.",
        .appDenied:
            "Yonder may not see your position. Allow it in the settings of this device, under Location.",
        .appRestricted: "This device doesn’t let Yonder see your position.",
        .appServicesOff: "Location is switched off on this device. Switch it on in the settings.",
        .appSeenAsBefore: "The others see your last position.",
        .appPocketUntil: "You share your position until {time}",
        .appPocketUntilStop: "You share your position until you stop",
        .appAwaited: "Shares as soon as there is a connection.",
        .appStopNeedsApp:
            "The stop isn’t sent yet. Leave Yonder open until there is a connection: until then the others see your last position.",
        .appStopIsKept:
            "The stop is sent once there is a connection, also when you open Yonder again. Until then the others see your last position.",
        .appNobodySees: "Nobody sees where you are.",
        .appStranger: "Someone {id}",
        .appZoomToMe: "Zoom to me",
        .appFollowMe: "Follow me",
        .appHideMe: "Hide me",
        .appShown: "Everybody in the world can see where you are, without your name.",
        .appCached: "{places} · as seen before",
    ]
}
