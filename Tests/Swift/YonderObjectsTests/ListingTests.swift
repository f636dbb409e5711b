import TestSupport
import Testing
import YonderGeodesy
import YonderModel
import YonderRules

@testable import YonderObjects

struct ListingTests {
    private let entity = ObjectSamples.places.name
    private let name = ObjectSamples.field("name")
    private let rating = ObjectSamples.field("rating")

    /// Objects with the names 0, 1, 2, …, of which the rating is a remainder.
    private func catalog(_ count: Int, sortingLimit: Int = 1_000_000) async throws -> ObjectCatalog {
        let catalog = try await ObjectCatalog.load(from: MemoryStore(), sortingLimit: sortingLimit)
        _ = try await catalog.createEntity(
            ObjectSamples.places,
            by: .owner,
            at: ObjectSamples.time,
            under: .server
        )
        for number in 0..<count {
            let fields: [FieldName: FieldValue] = [
                name: .text("\(number)"), rating: .number(Double(number % 5)),
            ]
            let submission = ObjectSubmission(
                entity: entity,
                caller: .owner,
                action: .create(fields),
                time: ObjectSamples.time
            )
            try await catalog.change(submission)
        }
        return catalog
    }

    private func names(_ answer: ObjectList, in catalog: ObjectCatalog) throws -> [String] {
        let entity = try catalog.definition(of: entity, for: .owner)
        return try answer.objects.compactMap { record in
            guard case .text(let text)? = try record.object(of: entity).fields[name] else { return nil }
            return text
        }
    }

    @Test func `a stretch is the same as that of the whole list, whatever is asked for`() async throws {
        let catalog = try await catalog(47)
        let criteria: [ObjectCriteria] = [.all, .where(.field(rating), .atLeast(.number(2)))]
        let orders: [ObjectOrder?] = [nil, ObjectOrder([.init(.field(rating), isDescending: true)])]
        for criteria in criteria {
            for order in orders {
                let whole = try await catalog.list(
                    ObjectListing(entity, where: criteria, by: order, limit: 1_000),
                    for: .owner
                )
                let all = try names(whole, in: catalog)
                #expect(whole.total == all.count)
                for (offset, limit) in [(0, 0), (0, 5), (3, 7), (20, 1), (46, 5), (47, 5), (60, 5)] {
                    let listing = ObjectListing(
                        entity,
                        where: criteria,
                        by: order,
                        offset: offset,
                        limit: limit
                    )
                    let part = try await catalog.list(listing, for: .owner)
                    #expect(part.total == all.count)
                    #expect(try names(part, in: catalog) == Array(all.dropFirst(offset).prefix(limit)))
                }
            }
        }
    }

    @Test func `too many objects aren't looked at one by one, and are listed all the same`() async throws {
        let catalog = try await catalog(3, sortingLimit: 2)
        let listing = ObjectListing(entity, offset: 1, limit: 1)
        #expect(try names(try await catalog.list(listing, for: .owner), in: catalog) == ["1"])
        for listing in [
            ObjectListing(entity, where: .where(.id, .exists), limit: 1),
            ObjectListing(entity, by: ObjectOrder([.init(.created)]), limit: 1),
        ] {
            do throws(SharingError) {
                _ = try await catalog.list(listing, for: .owner)
                Issue.record("\(listing) was answered.")
            } catch {
                #expect(error.code == .tooMany)
            }
        }
    }

    @Test func `a caller who may not read an entity gets no object of it`() async throws {
        let catalog = try await catalog(1)
        for caller in [ObjectCaller.anyone, .member] {
            let listing = ObjectListing(entity, where: .where(.id, .exists), limit: 1)
            let isAllowed = (try? await catalog.list(listing, for: caller)) != nil
            #expect(isAllowed == (caller == .member))
        }
    }
}
