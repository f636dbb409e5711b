/// Keeps the nouns whose tables are written once for both databases, each by its port.
package typealias NounStore = AccountStore & ImageStore & KeyStore
