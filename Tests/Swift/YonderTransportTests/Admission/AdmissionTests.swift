import TestSupport
import Testing

@testable import YonderTransport

@Suite struct AdmissionTests {
    private let limits = Admission.Limits(
        connections: 8,
        anonymous: 6,
        perAddress: 3,
        people: 7,
        perPerson: 4
    )
    private let ada: Int64 = 1
    private let ben: Int64 = 2

    @Test func `below every bound nobody gives way`() {
        var admission = Admission(limits)
        for address in ["a", "a", "a", "b", "b", "b"] {
            #expect(admission.open(.address(address)).displaced == nil)
        }
        #expect(admission.anonymousCount == 6)
    }

    @Test func `an address with too many connections displaces its own, the one silent longest`() {
        var admission = Admission(limits)
        _ = admission.open(.address("b"))
        let first = admission.open(.address("a")).id
        let second = admission.open(.address("a")).id
        _ = admission.open(.address("a"))
        admission.heard(first)

        let displaced = admission.open(.address("a")).displaced
        #expect(displaced == .init(id: second, bound: .address, holder: .address("a")))
        #expect(admission.anonymousCount == 4)
    }

    @Test func `many addresses displace the anonymous connection silent longest, never a person's`() {
        var admission = Admission(limits)
        let person = admission.open(.address("p")).id
        #expect(admission.move(person, to: .person(ada)) == nil)
        let ids = (0..<6).map { admission.open(.address("\($0)")).id }
        admission.heard(ids[0])

        #expect(admission.open(.address("new")).displaced?.id == ids[1])
        #expect(admission.open(.address("newer")).displaced?.bound == .anonymous)
        #expect(admission.peopleCount == 1)
    }

    @Test
    func `people may take the share that those without an account may not, and a new one still gets in`() {
        var admission = Admission(limits)
        for user in 1...7 {
            let id = admission.open(.address("a")).id
            #expect(admission.move(id, to: .person(Int64(user))) == nil)
        }
        #expect(admission.peopleCount == 7)
        let stranger = admission.open(.address("a")).id
        let displaced = admission.open(.address("b")).displaced
        #expect(displaced == .init(id: stranger, bound: .connections, holder: .address("a")))
    }

    @Test func `an eighth person displaces the one silent longest`() {
        var admission = Admission(limits)
        var ids: [Admission.ID] = []
        for user in 1...7 {
            ids.append(admission.open(.address("a")).id)
            _ = admission.move(ids[user - 1], to: .person(Int64(user)))
        }
        let eighth = admission.open(.address("a")).id
        #expect(admission.move(eighth, to: .person(8))?.id == ids[0])
        #expect(admission.peopleCount == 7)
    }

    @Test func `one person can't take the others' share`() {
        var admission = Admission(limits)
        let bens = admission.open(.address("b")).id
        _ = admission.move(bens, to: .person(ben))
        let adas = (0..<5).map { _ in admission.open(.address("a")).id }
        let displaced = adas.map { admission.move($0, to: .person(ada)) }
        // The first two gave way at the address's bound already, before they were anybody's.
        #expect(displaced.compactMap { $0 }.isEmpty)
        let more = (0..<2).map { _ in admission.open(.address("a")).id }
        let last = more.compactMap { admission.move($0, to: .person(ada)) }
        #expect(last == [.init(id: adas[2], bound: .person, holder: .person(ada))])
    }

    @Test func `a proxy's connections count for nobody between requests, and for its clients during them`() {
        var admission = Admission(limits)
        let ids = (0..<5).map { _ in admission.open(.proxy).id }
        #expect(ids.prefix(3).compactMap { admission.move($0, to: .address("a")) }.isEmpty)
        #expect(admission.move(ids[3], to: .address("a"))?.id == ids[0])
        #expect(admission.move(ids[3], to: .proxy) == nil)
        #expect(admission.move(ids[4], to: .address("a")) == nil)
    }

    @Test func `a closed or replaced connection is removed`() {
        var admission = Admission(limits)
        let id = admission.open(.address("a")).id
        admission.closed(id)
        admission.closed(id)
        admission.heard(id)
        #expect(admission.move(id, to: .person(ada)) == nil)
        #expect(admission.anonymousCount == 0)
        #expect(admission.peopleCount == 0)
    }

    @Test func `no bound is ever exceeded, and who gives way was silent longest, whatever happens`() {
        for seed in UInt64(0)..<60 {
            var random = SeededGenerator(seed: seed)
            var admission = Admission(limits)
            // The connections in the order in which they were last heard.
            var known: [(id: Admission.ID, holder: Admission.Holder)] = []
            func silentLongest(_ displaced: Admission.Displacement) -> Admission.ID? {
                known.first { entry in
                    switch displaced.bound {
                    case .address, .person: entry.holder == displaced.holder
                    case .people: entry.holder.isPerson
                    case .anonymous, .connections: !entry.holder.isPerson
                    }
                }?.id
            }
            for _ in 0..<400 {
                let address = Admission.Holder.address("\(Int.random(in: 0..<4, using: &random))")
                let person = Admission.Holder.person(.random(in: 1...3, using: &random))
                let chosen = known.randomElement(using: &random)?.id ?? 0
                var displaced: Admission.Displacement?
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<5:
                    let (id, gone) = admission.open(address)
                    if let gone { #expect(gone.id == silentLongest(gone), "seed \(seed)") }
                    displaced = gone
                    known.append((id, address))
                case 5..<7:
                    guard let index = known.firstIndex(where: { $0.id == chosen }) else { continue }
                    known.append(known.remove(at: index))
                    admission.heard(chosen)
                case 7..<9:
                    guard let index = known.firstIndex(where: { $0.id == chosen }) else { continue }
                    let holder = Bool.random(using: &random) ? person : address
                    let entry = known.remove(at: index)
                    displaced = admission.move(chosen, to: holder)
                    if let displaced { #expect(displaced.id == silentLongest(displaced), "seed \(seed)") }
                    known.append((entry.id, holder))
                default:
                    known.removeAll { $0.id == chosen }
                    admission.closed(chosen)
                }
                known.removeAll { $0.id == displaced?.id }
                #expect(admission.peopleCount == known.count { $0.holder.isPerson }, "seed \(seed)")
                #expect(admission.anonymousCount == known.count { !$0.holder.isPerson }, "seed \(seed)")
                #expect(admission.anonymousCount <= 6 && admission.peopleCount <= 7 && known.count <= 8)
            }
        }
    }

    @Test func `few connections are divided so that no address, person or crowd takes all`() {
        let limits = Admission.Limits(connections: 896)
        #expect(
            limits == .init(connections: 896, anonymous: 672, perAddress: 336, people: 840, perPerson: 420)
        )
        #expect(Admission.Limits(connections: 50_000).perAddress == 1_500)
        #expect(Admission.Limits(connections: 50_000, perAddress: 40_000).perAddress == 37_500)
        #expect(Admission.Limits(connections: 896, perAddress: 5).perAddress == 5)
    }
}

@Suite struct DescriptorBudgetTests {
    @Test func `connections are what the limit leaves behind the reserve`() {
        let budget = DescriptorBudget(descriptors: 1_024, threads: 2, wanted: 50_000)
        #expect(budget.connections == 888)
        #expect(DescriptorBudget(descriptors: 20_000, threads: 2, wanted: 5_000).connections == 5_000)
    }

    @Test func `a tiny limit leaves half of it`() {
        #expect(DescriptorBudget(descriptors: 100, threads: 8, wanted: 50_000).connections == 50)
        #expect(DescriptorBudget(descriptors: 0, threads: 1, wanted: 50_000).connections == 1)
    }

    @Test func `the soft limit is the hard one from the start`() {
        let first = DescriptorLimit.raise()
        #expect(first > 0)
        #expect(DescriptorLimit.raise() == first)
    }
}
