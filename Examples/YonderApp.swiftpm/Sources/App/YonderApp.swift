import Foundation
import SwiftUI
import UIKit
import YonderAppModels
import YonderPocket

/// The app: one window with the sign-in screen, and with the five tabs after the sign-in.
@main
struct YonderApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup {
            RootView(app: delegate.phone.app)
                .environment(\.words, delegate.phone.app.signIn.context)
        }
    }
}

/// Takes up a share that was going on when the system ended the app, first thing at each launch, and runs the app's model, also when
/// the system launched the app without a window.
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
    let phone = Phone()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        phone.pocket.launch()
        // The app's root: it ends with the process.
        Task { await phone.app.run() }
        return true
    }
}
