import SwiftUI
import YonderAppModels

/// Signs a person in, with a link or with login and password.
struct SignInView: View {
    @Environment(\.words) private var words
    @Bindable var signIn: SignInModel

    var body: some View {
        Form {
            Section {
                Text(words.say(.welcomeTitle)).font(.title).bold()
                Text(words.say(.welcomeLead)).foregroundStyle(.secondary)
            }
            Section {
                TextField(
                    words.say(.appServer),
                    text: $signIn.server,
                    prompt: Text(words.say(.appServerExample))
                )
                .keyboardType(.URL)
                .textContentType(.URL)
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
            } header: {
                Text(words.say(.appServer))
            } footer: {
                if let problem = signIn.problem {
                    ProblemLine(text: problem)
                }
            }
            Section {
                TextField(words.say(.signInLink), text: $signIn.link)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
                    .onSubmit(signIn.useLink)
                Button(words.say(.signInUseLink), action: signIn.useLink)
                    .disabled(!signIn.canUseLink)
            }
            Section {
                TextField(words.say(.signInLogin), text: $signIn.login)
                    .textContentType(.username)
                    .textInputAutocapitalization(.never)
                    .autocorrectionDisabled()
                SecureField(words.say(.signInPassword), text: $signIn.password)
                    .textContentType(.password)
                    .onSubmit(signIn.usePassword)
                Button(words.say(.signInSignIn), action: signIn.usePassword)
                    .disabled(!signIn.canUsePassword)
            }
            if signIn.isBusy {
                ProgressView(words.say(.pageConnecting))
            }
        }
    }
}
