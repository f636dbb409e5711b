import Foundation
import SwiftUI
import UIKit
import YonderAppModels
import YonderPocket

/// The app: one window, whose screens are those of a person who is signed in.
@main
struct YonderApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate

    var body: some Scene {
        WindowGroup {
            RootView(signIn: delegate.phone.signIn, phone: delegate.phone.parts)
                .environment(\.words, delegate.phone.signIn.context)
        }
    }
}

/// Takes up a share that was going on when the system ended the app, first thing at each launch.
@MainActor
final class AppDelegate: NSObject, UIApplicationDelegate {
    let phone = Phone()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        phone.pocket.launch()
        return true
    }
}
