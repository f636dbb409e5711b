import HTTPTypes
import Testing

@testable import YonderREST

@Suite struct RouteTableTests {
    @Test func `the methods of a path are those of the routes that fit it most closely`() {
        let table = RouteTable()
        for (method, path) in [
            (HTTPRequest.Method.get, "/v1/objects/{entity}/{id}"), (.delete, "/v1/objects/{entity}/{id}"),
            (.get, "/v1/objects/{entity}/near"), (.put, "/v1/objects/cafe/{id}"), (.get, "/assets/**"),
            (.post, "/assets/{name}"),
        ] {
            table.append(RESTRoute(method: method, path: path))
        }
        func methods(_ path: String) -> Set<HTTPRequest.Method> {
            table.methods(of: path.split(separator: "/"))
        }

        #expect(methods("/v1/objects/bar/7") == [.get, .delete])
        #expect(methods("/v1/objects/bar/near") == [.get])
        #expect(methods("/v1/objects/cafe/7") == [.put])
        #expect(methods("/assets/x") == [.post])
        #expect(methods("/assets/x/y") == [.get])
        #expect(methods("/v1/objects") == [])
        #expect(methods("/v1/objects/bar/7/x") == [])
    }
}
