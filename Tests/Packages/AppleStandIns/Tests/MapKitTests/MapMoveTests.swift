import CoreLocation
import MapKit
import TestSupport
import Testing
import UIKit
import YonderClient
import YonderGeodesy
import YonderModel

@testable import YonderMap

/// What a driver does about the moves of a map view.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct MapMoveTests {
    private let map = DrivenMap()
    private let eva = MapSamples.map(MapSamples.eva())

    private func look(_ target: MapLook.Target, _ number: Int) {
        map.driver.update(eva, selection: nil, look: MapLook(target, number: number))
    }

    @Test func `a map begins with the region of its settings`() throws {
        let region = try #require(Region(map.view.visibleMapRect))
        #expect(region.contains(MapSamples.town))
        #expect(map.moves == 0)
    }

    @Test func `a look moves the map when its number rises, and leaves it alone otherwise`() {
        look(.center(place(47.2, 9.6)), 1)
        map.view.finishMove()
        #expect(abs(map.view.centerCoordinate.latitude - 47.2) < 1e-9)
        map.view.drag(east: 1)
        let center = map.view.centerCoordinate.longitude
        look(.center(place(47.2, 9.6)), 1)
        map.view.finishMove()
        #expect(map.view.centerCoordinate.longitude == center)
        look(.center(place(47.2, 9.6)), 2)
        map.view.finishMove()
        #expect(abs(map.view.centerCoordinate.longitude - 9.6) < 1e-9)
    }

    @Test func `a look waits until the view has a size`() {
        map.view.frame = .zero
        look(.center(place(47.2, 9.6)), 1)
        map.view.finishMove()
        #expect(abs(map.view.centerCoordinate.latitude - 47.2) > 0.01)
        map.view.frame = CGRect(x: 0, y: 0, width: 300, height: 300)
        map.view.setVisibleMapRect(map.view.visibleMapRect, animated: false)
        map.view.finishMove()
        #expect(abs(map.view.centerCoordinate.latitude - 47.2) < 1e-9)
    }

    @Test func `a look at the middle keeps the zoom, and a close look shows streets`() {
        let span = map.view.region.span.longitudeDelta
        look(.center(place(47.2, 9.6)), 1)
        map.view.finishMove()
        #expect(abs(map.view.region.span.longitudeDelta - span) < 1e-9)
        look(.close(place(47.2, 9.6)), 2)
        map.view.finishMove()
        #expect(map.view.region.span.longitudeDelta < 0.02)
    }

    @Test func `the app's moves aren't sent as moves by hand, also when one cuts the other short`() {
        look(.center(place(47.2, 9.6)), 1)
        look(.center(place(47.3, 9.7)), 2)
        map.view.finishMove()
        look(.region(MapSamples.town), 3)
        map.view.finishMove()
        #expect(map.moves == 0)
    }

    @Test func `a drag is sent once, and a drag that cuts the app's move short is sent, too`() {
        map.view.drag(east: 0.5)
        #expect(map.moves == 1)
        look(.center(place(47.2, 9.6)), 1)
        map.view.drag(south: 0.5)
        #expect(map.moves >= 2)
    }

    @Test func `a zoom is no move by hand`() {
        map.view.pinch(by: 2)
        #expect(map.moves == 0)
    }

    @Test func `a look at where the map is hides no later drag`() {
        look(.center(MapSamples.vaduz), 1)
        map.view.finishMove()
        look(.center(MapSamples.vaduz), 2)
        map.view.finishMove()
        map.view.drag(east: 0.5)
        #expect(map.moves == 1)
    }

    // MARK: Regions

    @Test func `each rest of the map sends the region in view, an equal one only once`() throws {
        map.view.drag(east: 0.5)
        #expect(map.regions.count == 1)
        map.view.setVisibleMapRect(map.view.visibleMapRect, animated: false)
        #expect(map.regions.count == 1)
        let region = try #require(map.regions.first)
        #expect(region == Region(map.view.visibleMapRect))
    }

    @Test func `a region across the antimeridian has four right numbers`() throws {
        let fiji = region(178, -20, -178, -16)
        look(.region(fiji), 1)
        map.view.finishMove()
        let seen = try #require(map.regions.last)
        #expect(seen.crossesAntimeridian)
        #expect(seen.contains(fiji))
        #expect(seen.contains(place(-18, 179.5)))
        #expect(seen.contains(place(-18, -179.5)))
        #expect(!seen.contains(place(-18, 0)))
    }

    @Test func `the whole map is the whole Earth`() throws {
        map.view.setVisibleMapRect(.world, animated: false)
        #expect(map.regions.last == .everywhere)
    }

    @Test func `two moves in a row ask the server once more, for the last region`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Region.self)
        let clock = ManualClock()
        let browser = RegionBrowser<MapObject>(RegionQuery(source: "place"), clock: clock) {
            (region, limit) async throws(SharingError) in
            ask.yield(region)
            return RegionAnswer(region: region, limit: limit, total: 0, items: [])
        }
        await withDiscardingTaskGroup { group in
            group.addTask { await browser.run() }
            var questions = asked.makeAsyncIterator()
            map.view.drag(east: 0.5)
            await browser.look(at: map.regions[0])
            #expect(await questions.next() == map.regions[0])
            map.view.drag(east: 0.5)
            map.view.drag(south: 0.5)
            await browser.look(at: map.regions[1])
            await browser.look(at: map.regions[2])
            await clock.waitForSleepers()
            while clock.sleeperCount > 0 {
                clock.advance(by: .milliseconds(150))
                await Task.yield()
            }
            #expect(await questions.next() == map.regions[2])
            group.cancelAll()
        }
        #expect(map.regions.count == 3)
    }
}
