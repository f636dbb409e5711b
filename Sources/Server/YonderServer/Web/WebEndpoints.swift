import HTTPTypes
import Hummingbird
import YonderJSON
import YonderModel
import YonderREST

/// Serves the web page: entries are revalidated, assets live under a hash and never change.
///
/// `ServerAssembly` registers them; each answer is from memory, without a sign-in. The files are those of `Web/`,
/// which `Scripts/bundle-web` and `embed-web` put into the program. That an asset's address changes with its content
/// must stay, as browsers keep it for a year; an entry is asked for each time, and is small (`WebAndProbeTests`).
struct WebEndpoints: Sendable {
    private let entries: [WebFile]
    private let assets: [String: WebFile]
    private let assetsHash: String

    init(files: [WebFile] = WebFile.all, assetsHash: String = WebFile.assetsHash) {
        entries = files.filter { !$0.isAsset }
        assets = Dictionary(files.filter(\.isAsset).map { ($0.path, $0) }) { first, _ in first }
        self.assetsHash = assetsHash
    }

    func register(in routes: RESTRoutes) {
        for file in entries {
            routes.on(.get, Self.address(of: file.path), access: .anyone, query: nil) {
                call throws(SharingError) in
                answer(file, call.request, caching: "no-cache")
            }
        }
        routes.on(.get, "/assets/{hash}/**", access: .anyone, query: nil) { call throws(SharingError) in
            let parameters = call.context.parameters
            let path = parameters.getCatchAll().joined(separator: "/")
            guard parameters.get("hash") == assetsHash, let file = assets[path] else {
                throw SharingError(.notFound, "No such file.")
            }
            return answer(file, call.request, caching: "public, max-age=31536000, immutable")
        }
    }

    /// Pages have no extension in their address: `index.html` is `/`, `control.html` is `/control`.
    static func address(of entry: String) -> String {
        let page = entry.hasSuffix(".html") ? String(entry.dropLast(5)) : entry
        return page == "index" ? "/" : "/" + page
    }

    private func answer(_ file: WebFile, _ request: Request, caching: String) -> RESTAnswer {
        let gzipped = Self.acceptsGzip(request) ? file.gzipped : nil
        let tag = gzipped == nil ? "\"\(file.hash)\"" : "\"\(file.hash)-gzip\""
        var headers: HTTPFields = [.eTag: tag, .cacheControl: caching]
        if file.gzipped != nil { headers[.vary] = "Accept-Encoding" }
        if Self.matches(request.headers[values: .ifNoneMatch], tag) {
            return RESTAnswer(status: .notModified, headers: headers)
        }
        headers[.contentType] = file.contentType
        if gzipped != nil { headers[.contentEncoding] = "gzip" }
        return RESTAnswer(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: gzipped ?? file.content)
        )
    }

    static func acceptsGzip(_ request: Request) -> Bool {
        request.headers[values: .acceptEncoding].contains { list in
            list.utf8.split(separator: UInt8(ascii: ",")).contains { coding in
                let parts = coding.split(separator: UInt8(ascii: ";")).map(\.trimmed)
                guard let name = parts.first, name.isIgnoringCase("gzip") || name.is("*") else {
                    return false
                }
                return !parts.dropFirst().contains { part in
                    part.beginsIgnoringCase(with: "q=0")
                        && !part.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
                }
            }
        }
    }

    static func matches(_ conditions: [String], _ tag: String) -> Bool {
        conditions.contains { list in
            list.utf8.split(separator: UInt8(ascii: ",")).contains { condition in
                let condition = condition.trimmed
                let strong = condition.begins(with: "W/") ? condition.dropFirst(2) : condition
                return condition.is("*") || strong.elementsEqual(tag.utf8)
            }
        }
    }
}
