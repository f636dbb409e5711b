import Testing
import YonderClient

@testable import YonderAppModels

@Suite struct CalloutTests {
    @Test func `a person's callout has a line for each text that isn't empty, and the button that follows`() {
        let callout = Callout(
            id: "7/3",
            name: "Eva Beck",
            email: "",
            time: "3 min ago (14:02)",
            state: "",
            isFollowed: false,
            follow: "Follow"
        )
        #expect(
            callout.onMap
                == MapCallout(id: "7/3", title: "Eva Beck", lines: ["3 min ago (14:02)"], button: "Follow")
        )
    }
}
