import SwiftUI
import YonderAppModels

/// The sign-in screen, or all others once a person is signed in.
struct RootView: View {
    let signIn: SignInModel
    let phone: PhoneParts

    var body: some View {
        ZStack {
            switch signIn.stage {
            case .opening: OpeningView(signIn: signIn)
            case .signedOut: SignInView(signIn: signIn)
            case .signedIn(let person):
                HomeView(PersonModels(of: person, signIn, from: phone.location, pocket: phone.pocket))
            }
        }
        .task { await signIn.run() }
    }
}

/// What is shown until the phone's session is known to be good.
struct OpeningView: View {
    @Environment(\.words) private var words
    let signIn: SignInModel

    var body: some View {
        VStack(spacing: 16) {
            ProgressView(words.say(.pageLoading))
            if let problem = signIn.problem {
                Text(problem).multilineTextAlignment(.center)
            }
        }
        .padding()
    }
}
