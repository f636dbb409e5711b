import SwiftUI
import YonderAppModels

/// The five screens of a person who is signed in, and above them with whom the phone shares its position.
struct HomeView: View {
    @Environment(\.words) private var words
    let models: PersonModels

    var body: some View {
        TabView {
            Tab(words.say(.pageChats), systemImage: "bubble.left.and.bubble.right") {
                ChatsView(models: models)
            }
            .badge(models.chats.unread)
            Tab(words.say(.pageContacts), systemImage: "person.2") {
                ContactsView(models: models)
            }
            Tab(words.say(.pageWorld), systemImage: "globe") {
                WorldView(world: models.world)
            }
            Tab(words.say(.pagePlaces), systemImage: "mappin.and.ellipse") {
                PlacesView(kinds: models.places)
            }
            Tab(words.say(.pageYou), systemImage: "person.crop.circle") {
                MeView(me: models.me, sharing: models.sharing)
            }
        }
        .safeAreaInset(edge: .top) { SharingLine(sharing: models.sharing) }
    }
}

/// With whom the phone shares now, and until when.
struct SharingLine: View {
    let sharing: SharingModel

    var body: some View {
        if let text = sharing.status {
            Label(text, systemImage: "location.fill")
                .font(.footnote)
                .padding(.horizontal)
                .padding(.vertical, 4)
                .frame(maxWidth: .infinity)
                .background(.bar)
        }
    }
}
