import SwiftUI
import YonderAppModels

/// The sign-in screen, or all others once a person is signed in.
struct RootView: View {
    let app: AppModel

    var body: some View {
        switch app.content {
        case .opening: OpeningView(signIn: app.signIn)
        case .signedOut: SignInView(signIn: app.signIn)
        case .signedIn(let models): HomeView(models: models)
        }
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
