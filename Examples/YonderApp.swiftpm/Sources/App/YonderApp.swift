import SwiftUI
import YonderAppModels

/// The app: one window, whose screens are those of a person who is signed in.
@main
struct YonderApp: App {
    @State private var phone = Phone()

    var body: some Scene {
        WindowGroup {
            RootView(signIn: phone.signIn, location: phone.location)
                .environment(\.words, phone.signIn.context)
        }
    }
}
