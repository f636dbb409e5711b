#if Postgres
import YonderModel
enum AccountTable { static func giveHues(to: [UserID], in: ChatID, _ t: Transaction) async throws {} }
enum ImageTable { static func note(_ message: Message, _ t: Transaction) async throws {} }
#endif
