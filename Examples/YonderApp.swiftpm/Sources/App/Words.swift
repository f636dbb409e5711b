import SwiftUI
import YonderAppModels

private struct WordsKey: EnvironmentKey {
    static var defaultValue: AppContext { AppContext() }
}

extension EnvironmentValues {
    /// The texts of the screens, in the person's language.
    var words: AppContext {
        get { self[WordsKey.self] }
        set { self[WordsKey.self] = newValue }
    }
}
