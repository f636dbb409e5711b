import YonderGeodesy
import YonderModel
import YonderRules

extension StoreQuestion {
    static let writes = [
        StoreQuestion("a message, a position, a repeat and a recall") { world in
            let text = MessageDraft(tag: .text, content: "new")
            let sent = world.submission(.message(text), world.ben, world.chat, at: CostWorld.now)
            let message = try await world.store.submit(sent).message
            _ = try await world.store.submit(sent)
            try await world.send(
                CostWorld.position(at: CostWorld.now),
                world.ben,
                world.chat,
                at: CostWorld.now
            )
            try await world.send(.recall(number: message.logNumber), world.ben, world.chat, at: CostWorld.now)
            _ = try await world.store.read(ReadMark(chat: world.chat, reader: world.ben, number: 30))
        },
        StoreQuestion("a share, its first position and its end") { world in
            let wish = ShareWish()
            let started = try await world.send(
                .startShare(.random(), wish),
                world.cid,
                world.chat,
                at: CostWorld.now
            )
            guard let share = started.shares.first?.id else { return }
            let position = CostWorld.position(at: CostWorld.now, share: share)
            try await world.send(position, world.cid, world.chat, at: CostWorld.now)
            try await world.send(.stopShare(share), world.cid, world.chat, at: CostWorld.now)
        },
        StoreQuestion("a share that another session feeds, until both have ended") { world in
            var secrets: [SecretHash] = []
            for _ in 0..<2 {
                secrets.append(.random())
                try await world.store.createCredential(
                    world.credential(secrets[secrets.count - 1], of: world.ben)
                )
            }
            let start = Submission(
                chat: world.chat,
                sender: world.ben,
                key: "fed",
                action: .startShare(.random(), ShareWish()),
                time: CostWorld.now,
                source: secrets[0].source
            )
            guard let share = try await world.store.submit(start).shares.first else { return }
            _ = try await world.store.feed(share, by: secrets[1], at: CostWorld.now)
            for secret in secrets {
                try await world.store.removeCredential(secret, of: world.ben, at: CostWorld.now)
            }
            _ = try await world.store.endedShares(among: [share.id])
        },
        StoreQuestion("a subject, a place in the chat, a removal and a leaving") { world in
            let new = UserID.random()
            try await world.store.createAccount(
                Account(user: User(id: new, name: "New"), created: CostWorld.now)
            )
            try await world.store.connect(world.ada, new)
            try await world.send(.subject("Walk"), world.ada, world.chat, at: CostWorld.now)
            try await world.send(.lockSubject(true), world.ada, world.chat, at: CostWorld.now)
            try await world.send(.add([new]), world.ada, world.chat, at: CostWorld.now)
            try await world.send(.remove(new), world.ada, world.chat, at: CostWorld.now)
            try await world.send(.add([new]), world.ada, world.chat, at: CostWorld.now)
            try await world.send(.stayOut, new, world.chat, at: CostWorld.now)
            try await world.store.stopStayingOut(of: world.chat, by: new)
        },
        StoreQuestion("an expired message, and none") { world in
            let brief = MessageDraft(
                tag: .text,
                content: "brief",
                expires: CostWorld.now + .seconds(1)
            )
            try await world.send(.message(brief), world.ben, world.chat, at: CostWorld.now)
            _ = try await world.store.expire(at: CostWorld.now + .seconds(2), limit: 10)
            _ = try await world.store.expire(at: CostWorld.now + .seconds(2), limit: 10)
        },
        StoreQuestion("ten positions of a share that is over") { world in
            _ = try await world.store.eraseShares(at: CostWorld.now, limit: 10)
        },
        StoreQuestion("ten positions that were kept for their time") { world in
            try await world.send(.keepPositions(.day), world.ada, world.chat, at: CostWorld.now)
            _ = try await world.store.erasePositions(at: CostWorld.now, limit: 10)
        },
        StoreQuestion("a chat from its start, trimmed and read") { world in
            let wish = ChatStart(creator: world.ada, invitees: [world.ben], key: "key")
            let chat = try await world.store.start(wish, at: CostWorld.now).chat.id
            _ = try await world.store.start(wish, at: CostWorld.now)
            let text = MessageDraft(tag: .text, content: "x")
            for _ in 0..<3 { try await world.send(.message(text), world.ada, chat, at: CostWorld.now) }
            try await world.store.trim(chat, below: 3)
            _ = try await world.store.read(ReadMark(chat: chat, reader: world.ben, number: 1))
        },
        StoreQuestion("a known network, an event and an operator") { world in
            let event = AccountEvent(time: CostWorld.now, change: .email, actor: .user)
            _ = try await world.store.update(world.ben, noting: [event]) { $0.email = "ben@example.org" }
            var change = AccountChange()
            change.isOperator = true
            _ = try await world.store.change(world.ben, change, noting: [event])
            change.isOperator = false
            _ = try await world.store.change(world.ben, change, noting: [])
            let start = SessionStart.random(at: CostWorld.now)
            _ = try await world.store.startSession(start, by: world.store.password(of: world.ben))
            let link = Credential(
                secret: .random(),
                kind: .link,
                user: world.ben,
                created: CostWorld.now,
                expires: nil
            )
            try await world.store.createCredential(link, noting: [])
            let other = SessionStart.random(at: CostWorld.now)
            _ = try await world.store.startSession(other, by: .link(link.secret))
        },
        StoreQuestion("a session, its uses and its end") { world in
            let secret = SecretHash.random()
            try await world.store.createCredential(world.credential(secret, of: world.ben), noting: [])
            let use = CredentialUse(credential: secret, user: world.ben, time: CostWorld.now, network: "net")
            try await world.store.note([use])
            _ = try await world.store.newestSignIn()
            try await world.store.removeCredential(secret, of: world.ben)
            _ = try await world.store.removeCredentials(of: world.ben, kinds: [.session], except: nil)
            try await world.store.setPassword(world.ben, hash: "hash", ending: CredentialEnd(), noting: [])
            _ = try await world.store.replacePassword(world.ben, hash: "hash", with: "other")
        },
        StoreQuestion("changes under a warrant of an earlier version, and its judging") { world in
            let secret = SecretHash.random()
            try await world.store.createCredential(world.credential(secret, of: world.ben), noting: [])
            let held = HeldSignIn(
                user: world.ben,
                credential: secret,
                expires: nil,
                version: -1,
                needsOperator: false,
                time: CostWorld.now
            )
            try await world.store.setHue(world.ben, 10, under: .signIn(held))
            try await world.store.judge(.signIn(held))
            let share = ShareID.random()
            let actions: [Submission.Action] = [
                .message(MessageDraft(tag: .text, content: "x")), .startShare(share, ShareWish()),
                .stopShare(share),
            ]
            for action in actions {
                let submission = Submission(
                    chat: world.chat,
                    sender: world.ben,
                    key: "\(UserID.random())",
                    action: action,
                    time: CostWorld.now,
                    under: .signIn(held)
                )
                _ = try await world.store.submit(submission)
            }
        },
        StoreQuestion("an invitation and its acceptance") { world in
            let new = UserID.random()
            try await world.store.createAccount(
                Account(user: User(id: new, name: "New"), created: CostWorld.now)
            )
            let secret = SecretHash.random()
            let end = CostWorld.now + .seconds(60)
            let invitation = Invitation(
                secret: secret,
                sender: world.ben,
                created: CostWorld.now,
                expires: end
            )
            try await world.store.createInvitation(invitation)
            _ = try await world.store.invitation(secret, at: CostWorld.now)
            _ = try await world.store.accept(secret, by: new, at: CostWorld.now)
        },
        StoreQuestion("a changed profile, a block and its end") { world in
            _ = try await world.store.update(world.ben, noting: []) { $0.name = "Benno" }
            try await world.store.setHue(world.ben, 120)
            try await world.store.setShowsReads(world.ben, false)
            let pair = ChatStart(creator: world.ada, invitees: [world.ben], isOneToOne: true)
            let chat = try await world.store.start(pair, at: CostWorld.now).chat.id
            let text = MessageDraft(tag: .text, content: "x")
            try await world.send(.message(text), world.ben, chat, at: CostWorld.now)
            try await world.store.block(world.ben, by: world.ada)
            _ = try await world.store.partings(of: [world.ada], with: [world.ben])
            try await world.store.unblock(world.ben, by: world.ada)
            try await world.store.disconnect(world.ada, world.ben)
            try await world.store.connect(world.ada, world.ben)
        },
        StoreQuestion("an object, its change and its end") { world in
            let (places, id) = (ObjectSamples.places.name, ObjectID.random())
            func change(_ action: ObjectSubmission.Action) async throws {
                try await world.store.change(
                    ObjectSubmission(entity: places, caller: .owner, action: action, time: CostWorld.now)
                )
            }
            try await change(.create([ObjectSamples.field("name"): .text("new")], id: id))
            try await change(.change(id, [ObjectSamples.field("name"): .text("newer")]))
            let near: [FieldName: FieldValue] = [
                ObjectSamples.field("name"): .text("near"), ObjectSamples.field("near"): .reference(id),
            ]
            let other = ObjectID.random()
            try await change(.create(near, id: other))
            try await change(.delete(other))
            try await change(.delete(id))
        },
        StoreQuestion("an entity's end") { world in
            let definition = EntityDefinition(ObjectSamples.entity("brief"), fields: [])
            _ = try await world.store.createEntity(definition, by: .owner, at: CostWorld.now)
            _ = try await world.store.changeEntity(definition, by: .owner, at: CostWorld.now)
            _ = try await world.store.entity(definition.name, for: .owner)
            try await world.store.deleteEntity(definition.name, by: .owner)
        },
        StoreQuestion("an image, its photo and what is loose") { world in
            let image = ImageID.random()
            try await world.add(image, of: world.ben)
            let data = try MessageData(Array(#"{"image":"\#(image)"}"#.utf8))
            let photo = MessageDraft(tag: .photo, data: data)
            let sent = try await world.send(.message(photo), world.ben, world.chat, at: CostWorld.now)
            try await world.send(
                .recall(number: sent.message.logNumber),
                world.ben,
                world.chat,
                at: CostWorld.now
            )
        },
        StoreQuestion("a removed account") { world in
            let new = UserID.random()
            try await world.store.createAccount(
                Account(user: User(id: new, name: "New"), created: CostWorld.now)
            )
            try await world.store.remove(new)
            for user in try await world.store.leaving() { try await world.store.left(user) }
        },
        StoreQuestion("a key, made and removed") { world in
            try await world.store.createSigningKey(try world.key("other"), secret: .random())
            for id in ["key", "other"] { _ = try await world.store.removeSigningKey(id) }
        },
    ]
}
