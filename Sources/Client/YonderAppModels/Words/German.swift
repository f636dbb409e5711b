// The app's texts in German, for `Language`. `WordsTests` fails for a text that is missing, for one whose values in braces
// differ from those of another language, and for one that differs from the web page's text of the same key: change both.
// `AppContext.say` reads it by way of `Language.table`, for every text of a screen. It can't fail at run time: the switch has
// every case of `Word`, or nothing compiles. A word may change here and on the page; the names in braces must stay, as models
// fill in values by them.
extension Phrase {
    /// Every text in German.
    static let german: [Word: Phrase] = [
        .pageCancel: "Abbrechen",
        .pageDismiss: "Schließen",
        .pageChats: "Chats",
        .pageContacts: "Kontakte",
        .pageWorld: "Welt",
        .pageYou: "Du",
        .pagePlaces: "Orte",
        .pageTheWorld: "der Welt",
        .pageAChat: "einem Chat",
        .pageLoading: "Wird geladen…",
        .pageConnecting: "Verbinde…",
        .pageTryAgain: "Erneut versuchen",
        .pageSaved: "Gespeichert.",
        .pageSessionEnded: "Deine Sitzung ist beendet. Bitte melde dich neu an.",

        .peopleJustNow: "gerade eben",

        .chatPeople: "Personen",
        .chatYou: "{name} (du)",
        .chatNeverShared: "Teilt hier keinen Standort",
        .chatMissing: "Diesen Chat gibt es hier nicht",
        .chatMissingHint: "Du bist nicht darin, oder nicht mehr.",
        .chatViewAll: "Alle Standorte zeigen",
        .chatViewsLast: "Du siehst den letzten Standort jeder Person.",
        .chatViewsAll: "Überall, wo jede Person war. Schalte es aus, um den letzten Standort zu sehen.",

        .positionsComing: "Die Standorte werden geladen.",
        .positionsLoading: .counted(
            one: "Bisher ein Standort, seit {since}. Frühere werden geladen.",
            other: "Bisher {count} Standorte, seit {since}. Frühere werden geladen."
        ),
        .positionsWhole: .counted(
            one: "Überall, wo jede Person war: ein Standort.",
            other: "Überall, wo jede Person war: {count} Standorte."
        ),
        .positionsFull: .counted(
            one: "Überall seit {since}: ein Standort. Es gibt frühere.",
            other: "Überall seit {since}: {count} Standorte. Es gibt frühere."
        ),
        .positionsKept: .counted(
            one: "Überall seit {since}: ein Standort. In diesem Chat bleiben Positionen {keeping}.",
            other: "Überall seit {since}: {count} Standorte. In diesem Chat bleiben Positionen {keeping}."
        ),
        .positionsJoined: .counted(
            one: "Überall seit {since}: ein Standort. Von der Zeit, bevor du dazukamst, siehst du keine.",
            other:
                "Überall seit {since}: {count} Standorte. Von der Zeit, bevor du dazukamst, siehst du keine."
        ),
        .positionsBetween: .counted(
            one: "Ein Standort von {since}. Es gibt frühere.",
            other: "{count} Standorte von {since} bis {until}. Es gibt frühere."
        ),
        .positionsBetweenFirst: .counted(
            one: "Ein Standort von {since}, der erste.",
            other: "{count} Standorte von {since} bis {until}, die ersten."
        ),
        .positionsOff: "Schalte es aus, um den letzten Standort zu sehen.",
        .positionsEarlier: "Frühere zeigen",
        .positionsNewest: "Die neuesten zeigen",

        .chatsKeepDay: "einen Tag",
        .chatsKeepMonth: "30 Tage",
        .chatsKeepYear: "ein Jahr",
        .chatsKeepForever: "für immer",

        .ageNow: "jetzt",
        .ageMinutes: "{count} Min.",
        .ageHours: "{count} Std.",

        .freshSince: "seit {time}",
        .freshHereSince: "seit {time} hier",
        .freshReportsEvery: "meldet sich alle {time}",
        .freshNoNewsSince: "nichts gehört seit {time}",
        .freshBattery: "Akku {percent}",
        .freshNotReached: "Handy nicht erreichbar",
        .freshStoppedAt: "beendet um {time}",
        .freshArrivedAt: "angekommen um {time}",
        .freshStoppedSharing: "teilt nicht mehr",
        .freshArrived: "angekommen",
        .freshNoFix: "Standort noch nicht gefunden",
        .freshPaused: "pausiert",
        .freshPowerSaver: "Energiesparmodus",
        .freshCoarse: "nur ungefährer Standort",

        .mapPeople: "Personen auf der Karte",
        .mapFit: "Alle zeigen",
        .mapOwn: "Mein Standort",

        .personFollowShort: "Folgen",
        .personFollow: "{name} auf der Karte folgen",
        .personWithin: "auf {distance} genau",

        .statusConnecting: "Verbindung wird wiederhergestellt …",

        .seenTitle: "Wer mich sieht",
        .seenPeople: .counted(
            one: "Eine Person sieht, wo du bist.",
            other: "{count} Personen sehen, wo du bist."
        ),
        .seenWorldAlone: "Die ganze Welt sieht, wo du bist, ohne deinen Namen.",
        .seenWorldAndPeople: .counted(
            one: "Die ganze Welt sieht, wo du bist, und eine Person weiß, dass du es bist.",
            other: "Die ganze Welt sieht, wo du bist, und {count} Personen wissen, dass du es bist."
        ),
        .seenStopEverywhere: "Überall beenden",
        .seenStopIn: "Teilen in {chat} beenden",

        .sharingShare: "Standort teilen",
        .sharingShareForButton: "Teilen · {time}",
        .sharingQuarter: "15 Min.",
        .sharingHour: "1 Std.",
        .sharingEight: "8 Std.",
        .sharingUntil: "bis {time}",
        .sharingUntilTime: "bis zu einer Uhrzeit",
        .sharingUntilStop: "bis ich beende",
        .sharingYouShareHere: "Du teilst hier",
        .sharingEndsAt: "bis {time} · noch {left}",
        .sharingUntilYouStop: "bis du beendest",
        .sharingUntilYouArrive: "bis du ankommst",
        .sharingHourMore: "+ 1 Std.",
        .sharingStop: "Beenden",
        .sharingElsewhere: "von einem anderen Gerät",
        .sharingGoOn: "Weiter teilen",
        .sharingHowLong: "Wie lange",
        .sharingAfterwards: "Danach",
        .sharingKeep: "Behalten",
        .sharingErase: "Am Ende löschen",
        .sharingTakeBack: "Zurücknehmen",
        .sharingNotStarted: "Nichts wurde geteilt: Zwei Minuten lang antwortete der Server nicht.",
        .sharingStopping: "Wird beendet …",
        .sharingStoppingLater: "Wird beendet: noch nicht gesendet",
        .sharingEnded: "Dein Teilen mit {place} ist zu Ende.",
        .sharingNothingShared: "Es wurde nichts geteilt.",
        .sharingUnknown: "Dein Gerät kennt seinen Standort nicht. Es versucht es weiter.",
        .sharingFinding: "Dein Standort wird gesucht …",

        .welcomeTitle: "Sieh, wo deine Leute sind",
        .welcomeLead:
            "Standorte live teilen, auf einem eigenen Server: mit wem du willst, so lange du willst.",

        .signInLogin: "Anmeldename",
        .signInPassword: "Passwort",
        .signInSignIn: "Anmelden",
        .signInLink: "Anmeldelink",
        .signInUseLink: "Diesen Link verwenden",

        .settingsTitle: "Du",
        .settingsProfile: "So sehen dich andere",
        .settingsName: "Name",
        .settingsEmail: "E-Mail, sichtbar für deine Chats",
        .settingsSave: "Speichern",
        .settingsSignOut: "Abmelden",
        .settingsSignOutHint:
            "Mit dem Abmelden endet das Teilen von hier. Deine Chats und Kontakte bleiben auf dem Server; um zurückzukommen, brauchst du Anmeldename und Passwort oder einen neuen Anmeldelink.",

        .chatsTitle: "Chats",
        .chatsNew: "Neuer Chat",
        .chatsSearch: "Chats durchsuchen",
        .chatsNotFound: "Kein Chat dieses Namens.",
        .chatsNone: "Noch keine Chats",
        .chatsNoneHint:
            "Ein Chat ist eine Karte, die du mit einigen Leuten teilst. Beginne einen mit deinen Kontakten.",
        .chatsOnlyYou: "Nur du",
        .chatsTwoOfYou: "Nur ihr zwei",
        .chatsTheyLeft: "Chat verlassen; beginne ihn neu unter Kontakte",
        .chatsPeople: .counted(one: "Eine Person", other: "{count} Personen"),
        .chatsAndMore: "{names} und {more} weitere",
        .chatsUnread: .counted(one: "Eine neue Nachricht", other: "{count} neue Nachrichten"),
        .chatsSelected: .counted(one: "{count} ausgewählt", other: "{count} ausgewählt"),
        .chatsWithWhom: "Mit wem?",
        .chatsAbout: "Worum geht es? (freiwillig)",
        .chatsAboutExample: "Sonntagsspaziergang",
        .chatsKind: "Art des Chats",
        .chatsTwo: "Nur wir zwei",
        .chatsGroup: "Eine neue Gruppe",
        .chatsStart: "Chat beginnen",
        .chatsExisted: "Diesen Chat habt ihr schon.",

        .messagesTitle: "Nachrichten",
        .messagesNew: .counted(one: "{count} neu", other: "{count} neu"),
        .messagesNone: "Noch nichts gesagt",
        .messagesNoneHint: "Schreib unten die erste Nachricht.",
        .messagesMessage: "Nachricht",
        .messagesSend: "Senden",
        .messagesWaiting: "Wartet aufs Senden …",
        .messagesYouWrote: "Du: {text}",
        .messagesWrote: "{name}: {text}",
        .messagesTakenBack: "Diese Nachricht wurde zurückgenommen.",
        .messagesPlace: "Ort",
        .messagesPhoto: "Foto",
        .messagesExpired: "Diese Nachricht ist abgelaufen.",

        .contactsTitle: "Kontakte",
        .contactsSearch: "Suchen",
        .contactsNotFound: "Niemand dieses Namens.",
        .contactsNone: "Noch niemand hier",
        .contactsNoneHint:
            "Lade Leute mit einem Link ein. Nach der Zusage könnt ihr einen Chat beginnen und einander auf der Karte sehen.",

        .worldTitle: "Welt",
        .worldNobody: "Gerade ist sonst niemand verbunden",
        .worldOthers: .counted(
            one: "Eine andere Person ist gerade verbunden",
            other: "{count} andere sind gerade verbunden"
        ),
        .worldShowMe: "Mich in der Welt zeigen",
        .worldShowMeHint: "Wer hinsieht, würde deinen Standort sehen, ohne deinen Namen.",
        .worldClosed: "Diese Welt ist geschlossen",
        .worldClosedHint: "Wer den Server betreibt, hat sie abgeschaltet. Deine Chats gehen wie immer.",

        .placesTitle: "Orte",
        .placesList: "Sichtbare Orte",
        .placesNothingHere: "Hier ist nichts. Verschiebe oder zoome die Karte.",
        .placesLooking: "Suche…",
        .placesOpen: "Öffnen",
        .placesOpenNamed: "{name} öffnen",
        .placesNoneHere: "Keine Orte hier",
        .placesNoneHereSpoken: "Keine Orte hier.",
        .placesSome: "{listed} von {total}",
        .placesSomeSpoken: "{listed} von {total} Orten hier werden gezeigt.",
        .placesAll: .counted(one: "{total} Ort", other: "{total} Orte"),
        .placesAllSpoken: .counted(one: "Ein Ort hier.", other: "{total} Orte hier."),

        .placeGoneNow: "Diesen Ort gibt es hier nicht mehr.",

        .errorUnreachable: "Der Server ist nicht erreichbar. Prüfe die Verbindung und versuche es erneut.",
        .errorInternalError: "Der Server hat einen Fehler gemeldet. Versuche es erneut.",
        .errorNotSignedIn: "Du bist nicht angemeldet.",
        .errorInvalidCredentials: "Anmeldename, Passwort oder Link ist falsch oder gilt nicht mehr.",
        .errorPasswordNotChecked:
            "Dieses Passwort wurde auf einem größeren Server gesetzt und kann hier nicht geprüft werden. Melde dich mit einem Link an und setze ein neues Passwort.",
        .errorUnknownChat: "Diesen Chat gibt es nicht.",
        .errorUnknownUser: "Diese Person gibt es nicht.",
        .errorNotParticipant: "Du bist nicht mehr in diesem Chat.",
        .errorClosedChat: "Dieser Chat nimmt nichts mehr an.",
        .errorOneToOne: "In einem Chat zu zweit geht das nicht.",
        .errorShareEnded: "Dieses Teilen ist schon beendet.",
        .errorUnknownShare: "Dieses Teilen gibt es nicht.",
        .errorNotAllowed: "Das darfst du nicht.",
        .errorTooManyRequests: "Das war zu oft. Warte einen Moment.",
        .errorTooLarge: "Das ist zu groß.",
        .errorMessageTooLarge: "Diese Nachricht ist zu lang.",
        .errorUnknownInvitee: "Diese Person ist kein Kontakt von dir.",
        .errorTooMany: "Es sind schon zu viele.",
        .errorInvalidField: "Der Server nimmt einen dieser Werte nicht an.",
        .errorAccountDisabled: "Dieses Konto ist gesperrt.",
        .errorWorldClosed: "Die Welt dieses Servers ist nicht offen.",

        .appServer: "Server",
        .appServerExample: "https://yonder.example.org",
        .appNoServer: "Gib die Adresse deines Servers ein, oder füge den ganzen Link ein.",
        .appBadServer: "Das ist keine Adresse eines Servers. Sie beginnt mit https://.",
        .appSignedInAs: "Angemeldet als {name}",
        .appAgo: "vor {age}",
        .appConnectedNow: "jetzt verbunden",
        .appConnectedCount: .counted(
            one: "Eine Person ist verbunden",
            other: "{count} Personen sind verbunden"
        ),
        .appUnfollow: "Nicht mehr folgen",
        .appShareFor: "Du teilst in {place}",
        .appAskPermission: "Yonder fragt nach deinem Standort, wenn du ihn teilst.",
        .appDenied:
            "Yonder darf deinen Standort nicht sehen. Erlaube es in den Einstellungen dieses Geräts unter Ortungsdienste.",
        .appRestricted: "Dieses Gerät lässt Yonder deinen Standort nicht sehen.",
        .appServicesOff:
            "Die Ortung ist auf diesem Gerät ausgeschaltet. Schalte sie in den Einstellungen ein.",
        .appSeenAsBefore: "Die anderen sehen deine letzte Position.",
        .appPocketUntil: "Du teilst deinen Standort bis {time}",
        .appPocketUntilStop: "Du teilst deinen Standort, bis du aufhörst",
        .appAwaited: "Wird geteilt, sobald eine Verbindung da ist.",
        .appStopNeedsApp:
            "Das Beenden ist noch nicht gesendet. Lass Yonder offen, bis eine Verbindung da ist: Bis dahin sehen die anderen deine letzte Position.",
        .appStopIsKept:
            "Das Beenden wird gesendet, sobald eine Verbindung da ist, auch wenn du Yonder neu öffnest. Bis dahin sehen die anderen deine letzte Position.",
        .appNobodySees: "Niemand sieht, wo du bist.",
        .appStranger: "Jemand {id}",
        .appZoomToMe: "Zu mir zoomen",
        .appFollowMe: "Mir folgen",
        .appHideMe: "Mich nicht mehr zeigen",
        .appShown: "Alle in der Welt können sehen, wo du bist, ohne deinen Namen.",
        .appCached: "{places} · Stand von vorhin",
    ]
}
