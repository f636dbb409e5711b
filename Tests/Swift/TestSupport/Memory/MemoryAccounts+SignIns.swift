import YonderGeodesy
import YonderModel
import YonderRules

// The end of a right.
extension MemoryAccounts {
    mutating func end(_ ending: EndedRight, of user: UserID) throws(SharingError) {
        var change = AccountChange()
        switch ending {
        case .credential: _ = removeCredentials(of: user, kinds: [.session, .token, .accounts], except: nil)
        case .removed: try remove(user)
        case .disabled:
            change.isDisabled = true
            _ = try self.change(user, change)
        case .role:
            change.isOperator = false
            _ = try self.change(user, change)
        case .expired: credentials = credentials.filter { $0.value.user != user }
        }
    }
}

// Sessions.
extension MemoryAccounts {
    mutating func startSession(_ start: SessionStart, by proof: SessionStart.Proof) throws(SharingError)
        -> SessionStart.Outcome
    {
        var copy = self
        let (user, contact) = try copy.redeem(proof, at: start.time)
        let account = try copy.account(user)
        guard !account.isDisabled else { throw .accountDisabled }
        if case .password(_, let version) = proof, account.version != version { throw .signInOvertaken }
        try copy.create(start.credential(of: user))
        copy.noteNetwork(start.subnet, of: user, at: start.time)
        let sent = start.device.flatMap { copy.credential($0, kind: .device, at: start.time) }
        let known = sent.flatMap { $0.user == user ? $0.secret : nil }
        try copy.create(start.device(known ?? start.newDevice, of: user))
        let devices = copy.credentials(of: user).filter { $0.kind == .device }
        for old in devices.dropFirst(SessionStart.deviceLimit) {
            copy.removeCredential(old.secret, of: user)
        }
        self = copy
        return SessionStart.Outcome(user: account.user, knewDevice: known != nil, contact: contact)
    }

    private mutating func redeem(_ proof: SessionStart.Proof, at now: Timestamp) throws(SharingError)
        -> (user: UserID, contact: User?)
    {
        switch proof {
        case .password(let user, _): return (user, nil)
        case .link(let link):
            guard let found = credential(link, kind: .link, at: now) else { throw .linkUsed }
            credentials[link] = nil
            return (found.user, nil)
        case .invitation(let secret, let account):
            _ = try invitation(secret, at: now)
            try create(account)
            return (account.user.id, try accept(secret, by: account.user.id, at: now))
        }
    }

    private mutating func noteNetwork(_ network: String, of user: UserID, at time: Timestamp) {
        networks[user, default: [:]][network] = time
        let known = networks[user, default: [:]]
        guard known.count > KnownNetwork.limit, let oldest = known.min(by: { $0.value < $1.value }) else {
            return
        }
        networks[user]?[oldest.key] = nil
    }
}

// What is known of sign-ins.
extension MemoryAccounts {
    mutating func removeExpired(at now: Timestamp) {
        credentials = credentials.filter { $0.value.isGood(at: now) }
        invitations = invitations.filter { $0.value.expires > now }
    }

    mutating func note(_ sightings: [CredentialUse]) {
        for sighting in sightings {
            let time = sighting.time
            if credentials[sighting.credential]?.user == sighting.user {
                credentials[sighting.credential]?.lastSeen = time
                if let network = sighting.network { credentials[sighting.credential]?.network = network }
            }
            guard let seen = accounts[sighting.user] else { continue }
            accounts[sighting.user]?.lastSeen = max(seen.lastSeen ?? time, time)
        }
    }

    func newestSignIn() -> Timestamp? {
        (credentials.values.map(\.created) + accounts.values.compactMap(\.lastSeen)).max()
    }

    func knowsNetwork(_ network: String, of user: UserID) -> Bool {
        networks[user]?[network] != nil
    }
}
