import Foundation
import Testing
import YonderModel

@testable import YonderAppModels

@Suite struct WordsTests {
    @Test(arguments: Language.allCases) func `each language has every word`(language: Language) {
        #expect(Set(Word.allCases).subtracting(language.table.keys) == [])
    }

    @Test func `each word has the same values in each language`() {
        for word in Word.allCases {
            let forms = Language.allCases.compactMap { $0.table[word] }.map {
                [$0.form(for: 1), $0.form(for: 2)]
            }
            let values = forms.map { Set($0.flatMap(Self.values)) }
            #expect(Set(values).count == 1, "\(word.rawValue)")
        }
    }

    @Test(arguments: Language.allCases) func `a word that the page has, too, is the page's`(
        language: Language
    ) throws {
        let page = try PageWords(language)
        for word in Word.allCases where !word.rawValue.hasPrefix("app.") {
            #expect(language.table[word] == page.words[word.rawValue], "\(word.rawValue)")
        }
    }

    @Test func `values are filled in, and another person's text can't reorder the words around it`() {
        let context = AppContext(languages: ["en"])
        #expect(context.say(.chatsUnread, count: 1) == "One new message")
        #expect(context.say(.chatsUnread, count: 1_200) == "1,200 new messages")
        #expect(context.say(.chatYou, ["name": "Mia"]) == "Mia (you)")
        #expect(context.say(.chatYou, ["name": "{name}"]) == "{name} (you)")
        #expect(context.say(.chatYou, ["name": "\u{5D0}\u{5D1}"]) == "\u{2068}\u{5D0}\u{5D1}\u{2069} (you)")
        #expect(context.say(.chatYou, ["name": "M\u{202E}ia"]) == "Mia (you)")
    }

    @Test func `the first of a person's languages with words is taken, with its region`() {
        #expect(AppContext(languages: ["fr-CH", "de-CH", "en"]).language == .german)
        #expect(AppContext(languages: ["fr-CH", "de-CH", "en"]).locale.identifier == "de-CH")
        #expect(AppContext(languages: ["fr"]).language == .english)
    }

    @Test func `a refusal is said by its code, and one without words by what there is`() {
        let (english, german) = (AppContext(languages: ["en"]), AppContext(languages: ["de"]))
        let known = SharingError(.notParticipant, "The caller isn't in it.")
        #expect(english.say(known) == "You aren’t in this chat any more.")
        #expect(german.say(known) == "Du bist nicht mehr in diesem Chat.")
        let new = SharingError(SharingError.Code("ofTomorrow"), "It rains.")
        #expect(english.say(new) == "It rains.")
        #expect(german.say(new) == "Der Server hat einen Fehler gemeldet. Versuche es erneut.")
    }

    /// The names in braces.
    private static func values(_ text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
            String($0.prefix { $0 != "}" })
        }
    }
}

/// The table of the web page, as its file has it.
private struct PageWords {
    private(set) var words: [String: Phrase] = [:]

    init(_ language: Language) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../Web/app/words"
        )
        let name = language == .english ? "english.js" : "german.js"
        for line in try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(
            separator: "\n"
        ) {
            if let text = line.wholeMatch(of: /\s*'([^']+)': '(.*)',/) {
                words[String(text.1)] = .text(Self.plain(text.2))
            } else if let forms = line.wholeMatch(of: /\s*'([^']+)': \{ one: '(.*)', other: '(.*)' \},/) {
                words[String(forms.1)] = .counted(one: Self.plain(forms.2), other: Self.plain(forms.3))
            }
        }
    }

    private static func plain(_ text: Substring) -> String { String(text).replacing("\\'", with: "'") }
}
