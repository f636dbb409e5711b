import Testing
import YonderGeodesy
import YonderLink
import YonderModel
import YonderWire

@testable import YonderClient

@Suite(.timeLimit(.minutes(20))) struct MailboxTests {
    @Test func `a report that a canceled reader didn't read is the next reader's`() async {
        let mailbox = Mailbox<Int>(capacity: 2)
        let stream = mailbox.stream
        let canceled = Task { await stream.first { _ in true } }
        canceled.cancel()
        #expect(await canceled.value == nil)
        for number in 1...3 { mailbox.put(number) }
        var reader = mailbox.stream.makeAsyncIterator()
        #expect(await reader.next() == 2)
        var next = mailbox.stream.makeAsyncIterator()
        #expect(await next.next() == 3)
    }

    @Test func `an ended mailbox gives what waits, ends its readers, and begins anew`() async {
        let mailbox = Mailbox<Int>(capacity: 2)
        mailbox.put(1)
        mailbox.end()
        var reader = mailbox.stream.makeAsyncIterator()
        #expect(await reader.next() == 1)
        #expect(await reader.next() == nil)
        mailbox.reopen()
        mailbox.put(2)
        var next = mailbox.stream.makeAsyncIterator()
        #expect(await next.next() == 2)
    }

    @Test func `each reader of a value has the one of now first, and then the newest`() async {
        let value = CurrentValue(1)
        var readers = [value.stream.makeAsyncIterator(), value.stream.makeAsyncIterator()]
        for index in readers.indices { #expect(await readers[index].next() == 1) }
        for number in [2, 2, 3] { value.set(number) }
        for index in readers.indices { #expect(await readers[index].next() == 3) }
    }

    @Test func `whether there is a connection is known to a second reader after the first was canceled`()
        async throws
    {
        let server = FakeServer()
        let client = server.client()
        let first = client.connections
        let canceled = Task { for await _ in first {} }
        canceled.cancel()
        await canceled.value
        try await server.running(client) { server in
            var states = client.connections.makeAsyncIterator()
            #expect(await states.next() == false)
            let peer = try await server.accept()
            #expect(await states.next() == true)
            peer.close()
            while await states.next() != false {}
        }
    }

    @Test func `a browser that runs again asks and shows again`() async {
        let browser = RegionBrowser(RegionQuery<RegionPerson>(source: "people")) {
            region,
            limit throws(SharingError) in
            RegionAnswer(region: region, limit: limit, total: 0, items: [])
        }
        let canceled = Task { await browser.run() }
        canceled.cancel()
        await canceled.value
        var ended = browser.events.makeAsyncIterator()
        #expect(await ended.next() == nil)
        await browser.look(at: .everywhere)
        await withTaskGroup { group in
            group.addTask { await browser.run() }
            var events = browser.events.makeAsyncIterator()
            while let event = await events.next() {
                if case .show = event { break }
            }
            group.cancelAll()
        }
    }
}
