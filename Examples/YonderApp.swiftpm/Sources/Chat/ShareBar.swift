import SwiftUI
import YonderAppModels

/// How the person shares in a chat, and the buttons for it.
struct ShareBar: View {
    @Environment(\.words) private var words
    let models: ChatScreenModels

    var body: some View {
        @Bindable var form = models.form
        VStack(alignment: .leading) {
            HStack {
                ShareButtons(models: models, row: models.share)
            }
            if models.share.hasProblem {
                HStack {
                    ProblemLine(text: models.share.problem)
                    Spacer()
                    Button(words.say(.pageDismiss), systemImage: "xmark", action: models.dismissProblem)
                        .labelStyle(.iconOnly)
                }
            }
        }
        .padding()
        .background(.bar)
        .sheet(isPresented: $form.isShown) { ShareFormView(form: form) }
    }
}

/// The buttons for the state of a share.
struct ShareButtons: View {
    @Environment(\.words) private var words
    let models: ChatScreenModels
    let row: ShareRow

    var body: some View {
        switch row.state {
        case .off:
            Button(words.say(.sharingShare), systemImage: "location", action: models.form.show)
                .buttonStyle(.borderedProminent)
        case .awaited:
            ShareText(row: row)
            Button(words.say(.sharingTakeBack), action: models.stop)
        case .finding, .here:
            ShareText(row: row)
            if row.canExtend {
                Button(words.say(.sharingHourMore), action: models.extend)
            }
            Button(words.say(.sharingStop), role: .destructive, action: models.stop)
        case .elsewhere:
            ShareText(row: row)
            Button(words.say(.sharingGoOn), action: models.goOn)
            Button(words.say(.sharingStop), role: .destructive, action: models.stop)
        case .stopping:
            ShareText(row: row)
        }
    }
}

/// How a share stands, in words.
struct ShareText: View {
    let row: ShareRow

    var body: some View {
        Label(row.text, systemImage: "location.fill")
            .font(.callout)
        Spacer()
    }
}

/// For how long the person shares, and whether the positions stay.
struct ShareFormView: View {
    @Environment(\.words) private var words
    @Bindable var form: ShareFormModel

    var body: some View {
        NavigationStack {
            Form {
                Section {
                    Picker(words.say(.sharingHowLong), selection: $form.choice) {
                        ForEach(form.rows) { row in Text(row.name).tag(row.id) }
                    }
                    .pickerStyle(.inline)
                    if form.offersTime {
                        DatePicker(words.say(.sharingUntilTime), selection: $form.time, in: form.earliest...)
                    }
                } footer: {
                    Text(form.hint)
                }
                Section {
                    Toggle(words.say(.sharingErase), isOn: $form.isErased)
                } header: {
                    Text(words.say(.sharingAfterwards))
                }
                Button(form.button, action: form.share)
            }
            .navigationTitle(words.say(.sharingShare))
            .toolbar {
                ToolbarItem(placement: .cancellationAction) {
                    Button(words.say(.pageCancel), action: form.cancel)
                }
            }
        }
    }
}
