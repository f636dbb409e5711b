// Written by Scripts/embed-web. Don't edit: run it again.

#define YONDER_WEB_TREE_HASH "45d133af797d"

#define YONDER_WEB_BUNDLE "8da9e251af86"
#ifndef DEBUG
#if __has_embed("../../../Web/bundle/8da9e251af86/index.html") == __STDC_EMBED_FOUND__
#define HAS_BUNDLE 1
static const unsigned char bundled_main_js[] = {
#embed "../../../Web/bundle/8da9e251af86/main.js"
};
static const unsigned char gzipped_main_js[] = {
#embed "../../../Web/bundle/8da9e251af86/main.js.gz"
};
static const unsigned char bundled_page_css[] = {
#embed "../../../Web/bundle/8da9e251af86/page.css"
};
static const unsigned char gzipped_page_css[] = {
#embed "../../../Web/bundle/8da9e251af86/page.css.gz"
};
static const unsigned char bundled_index_html[] = {
#embed "../../../Web/bundle/8da9e251af86/index.html"
};
static const unsigned char gzipped_index_html[] = {
#embed "../../../Web/bundle/8da9e251af86/index.html.gz"
};
#endif
#endif

// app/chats/activity.js b20aca89b47e815f4aba0b1054822905c71ff152a6b7253efef2bbff4b833914
static const unsigned char bytes_0[] = {
#embed "../../../Web/app/chats/activity.js"
};

// app/chats/answers.js d00e47fcb16fdc6956fa55472f05468eb362b818fe0002be1546af8a49a132e1
static const unsigned char bytes_1[] = {
#embed "../../../Web/app/chats/answers.js"
};

// app/chats/change-dialogs.js e9b7c38b7c7eea323ba76adba6d25d59ca2cc94da6d452ebfcd15c0f84d297a6
static const unsigned char bytes_2[] = {
#embed "../../../Web/app/chats/change-dialogs.js"
};

// app/chats/chat-list-view.js 581195437fbda6f830f18f432f61623524d701efb3f6a6955a0a2d35d5ec5c45
static const unsigned char bytes_3[] = {
#embed "../../../Web/app/chats/chat-list-view.js"
};

// app/chats/chat-list.js 4229770959184cfc5a2fc7ce8eb6e0850bc921d8a83be2c347a1387398524b2c
static const unsigned char bytes_4[] = {
#embed "../../../Web/app/chats/chat-list.js"
};

// app/chats/chat-name.js ab32d319a0e12608e22087e089582faa767593a83aa84085c7ca4f41e5c91c8d
static const unsigned char bytes_5[] = {
#embed "../../../Web/app/chats/chat-name.js"
};

// app/chats/chat-title.js ece2dcd82bcd482a41d1170eb37a752469dc48236afed83eeda0ebb02754f553
static const unsigned char bytes_6[] = {
#embed "../../../Web/app/chats/chat-title.js"
};

// app/chats/chat-view.js 8134c13e8d5b1b92ad111f43f943f080b25015e4e8852bd3a5e9704d99efe63a
static const unsigned char bytes_7[] = {
#embed "../../../Web/app/chats/chat-view.js"
};

// app/chats/chats.js be84018f51f2bda553a763b1f486b3cf40e79dd90a89151bb7b581ebc9dacfe4
static const unsigned char bytes_8[] = {
#embed "../../../Web/app/chats/chats.js"
};

// app/chats/live-chat.js 1794950567cf09330ec1cb3be106c5a6366494365c48f64bed9d910f8adc185d
static const unsigned char bytes_9[] = {
#embed "../../../Web/app/chats/live-chat.js"
};

// app/chats/members-dialog.js c83adf6a727bbfc0733d1e3655bd26254901d1727feb2a735c7598787e903bb1
static const unsigned char bytes_10[] = {
#embed "../../../Web/app/chats/members-dialog.js"
};

// app/chats/people-order.js ec1285956f094d398242437ed9aec0c225f1f7e09a37f001d4afa7f8fdecfc7d
static const unsigned char bytes_11[] = {
#embed "../../../Web/app/chats/people-order.js"
};

// app/chats/people-section.js 3d4e464021fcdfabf8d2bb60c056287f72a9e36c90489744b2ad0af6abbd811d
static const unsigned char bytes_12[] = {
#embed "../../../Web/app/chats/people-section.js"
};

// app/chats/people-seen.js 4ac4212393450ce37691eae612937b90364b68c1f1177942d2b7e20230656417
static const unsigned char bytes_13[] = {
#embed "../../../Web/app/chats/people-seen.js"
};

// app/chats/person-actions.js 6e3c7e4fd0b8dd70f26007fa3968eb6321ee5da27bf289a88b26540540501db9
static const unsigned char bytes_14[] = {
#embed "../../../Web/app/chats/person-actions.js"
};

// app/chats/person-card.js b4c63ba3452c731a52713995c323c2d98d3240772eee969b735931c4bc8ca7c2
static const unsigned char bytes_15[] = {
#embed "../../../Web/app/chats/person-card.js"
};

// app/chats/position-keeping.js d4089032bebf32d3b1303870f38b263ee70d76581f7e352469e807ebf9588245
static const unsigned char bytes_16[] = {
#embed "../../../Web/app/chats/position-keeping.js"
};

// app/chats/presence.js 039eafe8015df5a06efc87b68766d42e534b5626b38eb263a6ba5bc8e2291278
static const unsigned char bytes_17[] = {
#embed "../../../Web/app/chats/presence.js"
};

// app/chats/sharing-now.js d3af76d3f9bd06541a6be8b1cde6bf2addb22655c092cd9d81e17d991cc7f6db
static const unsigned char bytes_18[] = {
#embed "../../../Web/app/chats/sharing-now.js"
};

// app/chats/start-chat-view.js 8282a4aa996b079fa593bb1fd89416483be82ab9e9ebb6c8d36c6cb88d753c67
static const unsigned char bytes_19[] = {
#embed "../../../Web/app/chats/start-chat-view.js"
};

// app/chats/unread-badge.js eede83e46b93269a99e29f877ffe70fc57c27969f32e4227e9dd1e503986f981
static const unsigned char bytes_20[] = {
#embed "../../../Web/app/chats/unread-badge.js"
};

// app/contacts/blocked-section.js 8a1c1c70cffc5db83362a29641d9ec8ace9b2c2551f02efca3fd757a2ea74e78
static const unsigned char bytes_21[] = {
#embed "../../../Web/app/contacts/blocked-section.js"
};

// app/contacts/contact-list.js 9bda9c5fd96043e2c29999339cba59c4122e0a5a16b2787f69ea2e4fa8698299
static const unsigned char bytes_22[] = {
#embed "../../../Web/app/contacts/contact-list.js"
};

// app/contacts/contact-picker.js 66baa47f69193ee5fe1c41cd6c40f7a1af3a9c2895e9776d97e9fe2d117e21be
static const unsigned char bytes_23[] = {
#embed "../../../Web/app/contacts/contact-picker.js"
};

// app/contacts/contacts-view.js 78fee6a098eebbf7faf9040cc34de7977fb56dbf6bd037c7f325ef2910aff515
static const unsigned char bytes_24[] = {
#embed "../../../Web/app/contacts/contacts-view.js"
};

// app/contacts/contacts.js 17dd32333c26f71fc70fa0dfebb09eb4724c6419ae0385578bcb377d3ce8a3b4
static const unsigned char bytes_25[] = {
#embed "../../../Web/app/contacts/contacts.js"
};

// app/contacts/invitation-dialog.js 3aa2fd4384401c4eb6cb81f96a67139b0e68d6aa136d9ab1918ccee58aa88f0b
static const unsigned char bytes_26[] = {
#embed "../../../Web/app/contacts/invitation-dialog.js"
};

// app/contacts/left-groups-section.js d4adb1db6536e6bd5b99e7c273d2d274452b554f0823f3107716d4ee957afc0e
static const unsigned char bytes_27[] = {
#embed "../../../Web/app/contacts/left-groups-section.js"
};

// app/contacts/name-search.js 9aeed1696077500c0f02b951cb7fa798d8dfdb091dc1bf00008ad99930058d4e
static const unsigned char bytes_28[] = {
#embed "../../../Web/app/contacts/name-search.js"
};

// app/contacts/people-actions.js cd124fe13385686a00b88eb6a3e69f2fb47fec079a9fdcfd8f6408bffab4bdca
static const unsigned char bytes_29[] = {
#embed "../../../Web/app/contacts/people-actions.js"
};

// app/contacts/shared-groups.js 91763d5b08e35ddb82e7de1b80c74a9cff52e5a111f8c6bc410c8ab6c3ecb98f
static const unsigned char bytes_30[] = {
#embed "../../../Web/app/contacts/shared-groups.js"
};

// app/freshness/age.js 849ad2a23fc5ad3b4f38300a77cff2ca5751f12dfb469cf44ee15a458f092abb
static const unsigned char bytes_31[] = {
#embed "../../../Web/app/freshness/age.js"
};

// app/freshness/freshness.js 12d942bb2d7eb38c32c53092a2f75ceede3f09f4fea63c5c44d9d85de9b0b65b
static const unsigned char bytes_32[] = {
#embed "../../../Web/app/freshness/freshness.js"
};

// app/freshness/heard-text.js 9baa4e3d0d0c436a040b58564934caf913432f4f516074504527622ade96b0d2
static const unsigned char bytes_33[] = {
#embed "../../../Web/app/freshness/heard-text.js"
};

// app/freshness/person-now.js b64a8929e77deb8e3728435d383d87bc4f74ae25a4890b6fb5d8b62bab55a3cd
static const unsigned char bytes_34[] = {
#embed "../../../Web/app/freshness/person-now.js"
};

// app/freshness/person-text.js 37ff6f8d4fb2b1bf86622cdf6e3e8c418504886bc9fbef678b706cfd84d55163
static const unsigned char bytes_35[] = {
#embed "../../../Web/app/freshness/person-text.js"
};

// app/freshness/share-book.js 240ec16b931478bfb8e483824d16135169c93f875bb90c229c4e516df05f5738
static const unsigned char bytes_36[] = {
#embed "../../../Web/app/freshness/share-book.js"
};

// app/freshness/standing.js 004151da88de35c46e8a590f8f9f94047ec7e9be1ba6e0629bf25fce12854adf
static const unsigned char bytes_37[] = {
#embed "../../../Web/app/freshness/standing.js"
};

// app/freshness/unplaced-text.js bf81feeb4061c6099854dec2c79d29c06def942f1e3264aed8f86d52552abba7
static const unsigned char bytes_38[] = {
#embed "../../../Web/app/freshness/unplaced-text.js"
};

// app/freshness/watcher.js fef5504d95c073547330c7c7508f836d716f15d14baefa0a2b7205b5c370374d
static const unsigned char bytes_39[] = {
#embed "../../../Web/app/freshness/watcher.js"
};

// app/history/day-annotations.js 155ba73f7c065bde0d9e66871cdd7e0c4784c930b171a2bfdd93dc46a1a1b078
static const unsigned char bytes_40[] = {
#embed "../../../Web/app/history/day-annotations.js"
};

// app/history/day-slider.js db09d2f847ea76d55effe749e4fff9647f016e15f60d7631986f68b969e84512
static const unsigned char bytes_41[] = {
#embed "../../../Web/app/history/day-slider.js"
};

// app/history/day-track.js 68745c84d45ae6e234731604d6d5754684af2c86622ebba6c3b37837d1bda8ad
static const unsigned char bytes_42[] = {
#embed "../../../Web/app/history/day-track.js"
};

// app/history/day.js 09e599fdbceff81fc51ec681261ccef2c31e0a4234990ec3cec555951993021f
static const unsigned char bytes_43[] = {
#embed "../../../Web/app/history/day.js"
};

// app/history/history-view.js 968ab7288bf460f3559da600d96e65e1478fdc67cb5add35389b1da426651ec4
static const unsigned char bytes_44[] = {
#embed "../../../Web/app/history/history-view.js"
};

// app/images/image-upload.js 34fd0187975cbef1ae86bfa6549017e4a4de6efa026177dd5955b2cc4aaeba37
static const unsigned char bytes_45[] = {
#embed "../../../Web/app/images/image-upload.js"
};

// app/images/jpeg-orientation.js 4b07f0dbd63db7f2bf2a09ef3cd02af83c7163c8111185e685a81136f95f01e9
static const unsigned char bytes_46[] = {
#embed "../../../Web/app/images/jpeg-orientation.js"
};

// app/invitations/invitation-view.js d7cd5e56fe1300dfb5531461a4edf3695abd16e01c9820fca4daca8700410c02
static const unsigned char bytes_47[] = {
#embed "../../../Web/app/invitations/invitation-view.js"
};

// app/invitations/pending-invitation.js 5377404f62557918d224f498a800994c977f998b702b970e6746c037c56bb40b
static const unsigned char bytes_48[] = {
#embed "../../../Web/app/invitations/pending-invitation.js"
};

// app/invitations/qr-code.js 78e1fe68579aa8fdb1056a89e022c814c5cf2a4cd6e1ac403c721eea76a587d6
static const unsigned char bytes_49[] = {
#embed "../../../Web/app/invitations/qr-code.js"
};

// app/invitations/qr-picture.js 51b500a3eae19a28e8a41600e39fbcd1a1cd5cb6b47cb107039de925cea70610
static const unsigned char bytes_50[] = {
#embed "../../../Web/app/invitations/qr-picture.js"
};

// app/main.js d75ca86f8e558ed25fc96e4ef457663e708ec1e8217cadaf787effd4735c4531
static const unsigned char bytes_51[] = {
#embed "../../../Web/app/main.js"
};

// app/map/annotations.js 7ef7fa0cf80ebb92354e265cca884bcd1582351309839f3d989f99a21ba2ee7b
static const unsigned char bytes_52[] = {
#embed "../../../Web/app/map/annotations.js"
};

// app/map/base-map.js f025f2474e18af11ab30ccec23c6d88607a8fdf5bcfe023f9e336f97408cb4b8
static const unsigned char bytes_53[] = {
#embed "../../../Web/app/map/base-map.js"
};

// app/map/callout.js 584ce6444a16e58a7631aad1ca1cea0cfd4073ad33b840e8b95450a07671910f
static const unsigned char bytes_54[] = {
#embed "../../../Web/app/map/callout.js"
};

// app/map/callouts.js 7acd78c38634559f35c1a893e58a09b578f58214a9a2d858405eee2eba67a48b
static const unsigned char bytes_55[] = {
#embed "../../../Web/app/map/callouts.js"
};

// app/map/camera.js 39608651ab4e07749412d09595c29e1501e6786e3fb105fcff013639d406ca5d
static const unsigned char bytes_56[] = {
#embed "../../../Web/app/map/camera.js"
};

// app/map/cluster-image.js 1535d1ce759024c0ff418b01fcc581949585a8b4dea8d700c5c04764035ba7a2
static const unsigned char bytes_57[] = {
#embed "../../../Web/app/map/cluster-image.js"
};

// app/map/crowd.js 175ff2aa3f7bfd26fc31e702d8d1ce779e15f429ce973a279b327f9aab5433cf
static const unsigned char bytes_58[] = {
#embed "../../../Web/app/map/crowd.js"
};

// app/map/directions.js 626b76051dd4b87f69949a320363ee5c924b069ff5e2dbc5a629ce22d5687577
static const unsigned char bytes_59[] = {
#embed "../../../Web/app/map/directions.js"
};

// app/map/extent.js 6b3930776911bf2920d0936acad5274595086153cf0d3d18fda72fc87b64cbfe
static const unsigned char bytes_60[] = {
#embed "../../../Web/app/map/extent.js"
};

// app/map/features.js 595556a71b9ef690350b80c183906b1b00c4b093426ddc2aca3c7eba9bd73f41
static const unsigned char bytes_61[] = {
#embed "../../../Web/app/map/features.js"
};

// app/map/first-picture.js d5a52fe3ba8909e65c1499bf95581ad097df0a594aba64cb317c1ff75acf6a41
static const unsigned char bytes_62[] = {
#embed "../../../Web/app/map/first-picture.js"
};

// app/map/keyed-changes.js b7f4d4b998c678a76cffde2bdcc41962718a5ac222d4a9d88193925faee4fcf0
static const unsigned char bytes_63[] = {
#embed "../../../Web/app/map/keyed-changes.js"
};

// app/map/keyed-source.js a0028f332a5c2d79032981ca897d68d43da5c2e78e543cbae146a7c1713092d4
static const unsigned char bytes_64[] = {
#embed "../../../Web/app/map/keyed-source.js"
};

// app/map/labels.js fe0fcabef079a8323ab8a00bc238c3f72145f98ab9075ff6d95cd5d75952e0e9
static const unsigned char bytes_65[] = {
#embed "../../../Web/app/map/labels.js"
};

// app/map/late-map.js 3eb4f878f0dc78c451915fceba660b23aec60a165b2760ad2c99ea01b464276d
static const unsigned char bytes_66[] = {
#embed "../../../Web/app/map/late-map.js"
};

// app/map/layers.js ee96d726b0d849f8d41a267c6db5a2c42b3f9f1c826c82be00e78556a65be2e0
static const unsigned char bytes_67[] = {
#embed "../../../Web/app/map/layers.js"
};

// app/map/library.js f02ed0fab5423129651aa9724a37faf89e69b0955846a92aab5fcd7a68b05f0b
static const unsigned char bytes_68[] = {
#embed "../../../Web/app/map/library.js"
};

// app/map/map-buttons.js 1e94a44558dce4eaca3ef9bd0b38e62100bc08b5685dbb97dd3d55578c781739
static const unsigned char bytes_69[] = {
#embed "../../../Web/app/map/map-buttons.js"
};

// app/map/map-note.js 7f6d2dfe4294c59139df4b2f22f06b18bbcc675c9ff19a4f5579cd673d5ed1c4
static const unsigned char bytes_70[] = {
#embed "../../../Web/app/map/map-note.js"
};

// app/map/map.js da8094e07c7fcd4bb20402fa279f076cc39b27000b26d5bef72f7b57569487e8
static const unsigned char bytes_71[] = {
#embed "../../../Web/app/map/map.js"
};

// app/map/maplibre-map.js 7657f9f04e23fd07c283dd00b759dcc66f79ea98f08485d55e22af7a8b0cd3c9
static const unsigned char bytes_72[] = {
#embed "../../../Web/app/map/maplibre-map.js"
};

// app/map/opening.js baeebd73f8c828fbe65b89cdee016f125b8674a4fe1c32653b3e4b5f8842aaa4
static const unsigned char bytes_73[] = {
#embed "../../../Web/app/map/opening.js"
};

// app/map/own-dot.js d1fbe073e86992bb983f75f7b39993cd39745a2b227e3f5c20023c2f1a22f724
static const unsigned char bytes_74[] = {
#embed "../../../Web/app/map/own-dot.js"
};

// app/map/people-layer.js cb7da14d6af84a34e7bfa45ea32b3a7344d766fb0191f26491985e934fc82e74
static const unsigned char bytes_75[] = {
#embed "../../../Web/app/map/people-layer.js"
};

// app/map/pin-image.js ea27ecac94985556805fb72c13f7ff3b74222062c967c804de3cfe6240ae1c2c
static const unsigned char bytes_76[] = {
#embed "../../../Web/app/map/pin-image.js"
};

// app/map/place-image.js f130e03c816364de80ca3ff38c08cbae8a6b0b116b940ba21f5520033bf20bf2
static const unsigned char bytes_77[] = {
#embed "../../../Web/app/map/place-image.js"
};

// app/map/place-text.js e44a1695b1da9318d460a3213f20acb288d39a74507944564c39c9cb3bfc39a3
static const unsigned char bytes_78[] = {
#embed "../../../Web/app/map/place-text.js"
};

// app/map/recent-lines.js 58cc6cc3a369f02944edf2f16f1b6b3fdba8b20e7598b6a1e711836a00bc6174
static const unsigned char bytes_79[] = {
#embed "../../../Web/app/map/recent-lines.js"
};

// app/map/ripples.js dea175964546aeb1182e06b781fd867ee6f9ed9bd96554557ab06cb5a7de2918
static const unsigned char bytes_80[] = {
#embed "../../../Web/app/map/ripples.js"
};

// app/map/scene.js a5d63cb23c387a2b1387dd23cb7ccd393d523fc8b7a9b1555ec2924d938ac7a5
static const unsigned char bytes_81[] = {
#embed "../../../Web/app/map/scene.js"
};

// app/map/shown.js 0833052a5835e72e2952f18c5da7109d44e991d5adb5010e1adf103cec8c2384
static const unsigned char bytes_82[] = {
#embed "../../../Web/app/map/shown.js"
};

// app/map/split-source.js f9f6a73d8293f3fa1f71521c306e270c91da6daeca5fd7d98b7a8c480dc355f5
static const unsigned char bytes_83[] = {
#embed "../../../Web/app/map/split-source.js"
};

// app/map/text-map.js 8ddd679915faf607e58b44010159271b311a5f3ed4a15671bbc84b51dbe1c0df
static const unsigned char bytes_84[] = {
#embed "../../../Web/app/map/text-map.js"
};

// app/messages/composer.js 7f77fb10f5b95b8d9c78c4f0573c678fd73351b1aca008685fdb06d339d4d8ef
static const unsigned char bytes_85[] = {
#embed "../../../Web/app/messages/composer.js"
};

// app/messages/drafts.js c1887cfae9eeaa97bfeecd154e193d1f3cc7d642a438c7a75afce4d8bcb9e87f
static const unsigned char bytes_86[] = {
#embed "../../../Web/app/messages/drafts.js"
};

// app/messages/emptying.js b9d6b49a2a1015036d6fca4a05c01cd35aeca0d48803e5a9872bd757aabc0579
static const unsigned char bytes_87[] = {
#embed "../../../Web/app/messages/emptying.js"
};

// app/messages/linked-text.js 96446ce7552a126a261580990fa3936b10f7f840d7046bf1b28b7b467b5c94b3
static const unsigned char bytes_88[] = {
#embed "../../../Web/app/messages/linked-text.js"
};

// app/messages/live-messages.js a48dd57d0ebde6b3537722e261c44c04bdef4286b0c1ce91de52241aabc14357
static const unsigned char bytes_89[] = {
#embed "../../../Web/app/messages/live-messages.js"
};

// app/messages/log-scroll.js 58dda8a8b56803fe66e6858980eb9e104909131262e90105ed6ba4d61c7acfb0
static const unsigned char bytes_90[] = {
#embed "../../../Web/app/messages/log-scroll.js"
};

// app/messages/message-bubble.js ea0e4f7e2bb8b9529602243c7aa499c2d01dea3cb76395f6287a3909f470bc40
static const unsigned char bytes_91[] = {
#embed "../../../Web/app/messages/message-bubble.js"
};

// app/messages/message-log.js 546e8131085c8c214aad588dd96914126da20ba7f32b46ee9a787ff12a414685
static const unsigned char bytes_92[] = {
#embed "../../../Web/app/messages/message-log.js"
};

// app/messages/message-rows.js 90ff4f0ef37e4c86d2a9080431bd31979005d8ea7c397fd3d3ab84fa137af71f
static const unsigned char bytes_93[] = {
#embed "../../../Web/app/messages/message-rows.js"
};

// app/messages/messages-beside.js fcb17ba3b139142ea766600fd1f81dd7d8fb835fbc8657d71f41f01a65af965c
static const unsigned char bytes_94[] = {
#embed "../../../Web/app/messages/messages-beside.js"
};

// app/messages/messages-section.js 69f1ae6f9d5f8ecc0f708349605c425d7504fb663f8b66a9bea519cdeb702988
static const unsigned char bytes_95[] = {
#embed "../../../Web/app/messages/messages-section.js"
};

// app/messages/note-text.js a4815933ce92ff069b7da64a9fcc6a17a7407bdb80f4992eab357b31948b67ed
static const unsigned char bytes_96[] = {
#embed "../../../Web/app/messages/note-text.js"
};

// app/messages/notifications-section.js 93e8f7807c1e25d92f62d22f83d7b38192ace47c54b4365fd152bf5c6fcae7e0
static const unsigned char bytes_97[] = {
#embed "../../../Web/app/messages/notifications-section.js"
};

// app/messages/notifications.js 4e83f7208b40c15f46abbf3a1a5ce319f979cda97f418debc5bd092848413533
static const unsigned char bytes_98[] = {
#embed "../../../Web/app/messages/notifications.js"
};

// app/messages/preview-text.js 669200a7b2e145952292dd4daeff9e0c724affd7a51d657d7bdc72bc857168d7
static const unsigned char bytes_99[] = {
#embed "../../../Web/app/messages/preview-text.js"
};

// app/messages/reach.js 27e309ab9d664ce4656ad49765279520ba8d98f1e1594883d558e90199733210
static const unsigned char bytes_100[] = {
#embed "../../../Web/app/messages/reach.js"
};

// app/messages/readers.js 541f255b48232a502943ce45616b10880c01347f89189b1a9efaaba9320ed358
static const unsigned char bytes_101[] = {
#embed "../../../Web/app/messages/readers.js"
};

// app/messages/reading-place.js 705288c6f5c101b1f64218e32ac198b37cd98685ce614994429fe2c22ffd29c6
static const unsigned char bytes_102[] = {
#embed "../../../Web/app/messages/reading-place.js"
};

// app/messages/told.js 8b2940f2a6fe59020b6881e797a734d9cebddbd889d113d6822834cbdf07baf2
static const unsigned char bytes_103[] = {
#embed "../../../Web/app/messages/told.js"
};

// app/messages/written-here.js 4fac350c2b18a85afa8e4e456462885e728415f330e0b5c0f1039058af8cda9a
static const unsigned char bytes_104[] = {
#embed "../../../Web/app/messages/written-here.js"
};

// app/page/clock.js 75bdabad0c6cb7540d502132088c968a434e957574e9988d36c81bf5e49ac583
static const unsigned char bytes_105[] = {
#embed "../../../Web/app/page/clock.js"
};

// app/page/controls.js 1a81733d1441bb6fffbf35308aac95ac17f1bb306a8587c2a564a3c929aab86f
static const unsigned char bytes_106[] = {
#embed "../../../Web/app/page/controls.js"
};

// app/page/decoded.js afd164ba8cb767b2755611e852409de83adecb923c37cc9a2889fa2a03a6343a
static const unsigned char bytes_107[] = {
#embed "../../../Web/app/page/decoded.js"
};

// app/page/dom.js 9b77e6077faeee373a1b9c2324324dc36e98a090193d7eb791e6cd381212ad5e
static const unsigned char bytes_108[] = {
#embed "../../../Web/app/page/dom.js"
};

// app/page/follow-person.js 4bda75da4bdbfaf8313e5e123ff5ad2b80f537047b19680a0207e2bda5497575
static const unsigned char bytes_109[] = {
#embed "../../../Web/app/page/follow-person.js"
};

// app/page/icons.js c3d8d364b2d3e200f47959494086ccd453c3f001e91e116b01c23be1a86cac4b
static const unsigned char bytes_110[] = {
#embed "../../../Web/app/page/icons.js"
};

// app/page/loading-text.js a1f471becb285cc406eebf8186de6448efe83fbd3b5d7bd544bfef6d902557be
static const unsigned char bytes_111[] = {
#embed "../../../Web/app/page/loading-text.js"
};

// app/page/notice.js e0f9e7d918caa2e3a4b0d585d8426f83428c2ccca6dc1992ecf8a58add34a06a
static const unsigned char bytes_112[] = {
#embed "../../../Web/app/page/notice.js"
};

// app/page/numbers.js ea107ef903ae74d4af09928def701a49d79020290563e4dd2411a000b9010363
static const unsigned char bytes_113[] = {
#embed "../../../Web/app/page/numbers.js"
};

// app/page/observable.js a39287d4cf497b617509f4c0914a3ba483bd8ebd0ee785cd2534858fee185c0b
static const unsigned char bytes_114[] = {
#embed "../../../Web/app/page/observable.js"
};

// app/page/page.js aa0018b8d7de64baacaf42662c09670627a87593976532ea07f477b2b7727d8e
static const unsigned char bytes_115[] = {
#embed "../../../Web/app/page/page.js"
};

// app/page/panel.js 83df2f778dd495b0862c952ccb0dbf47b8b1e8f443b21c14e91b4c963da09294
static const unsigned char bytes_116[] = {
#embed "../../../Web/app/page/panel.js"
};

// app/page/router.js fb0c34679e4c5071c25e3e7513dd4a03669972b862e13f227c6da1f35b3a0038
static const unsigned char bytes_117[] = {
#embed "../../../Web/app/page/router.js"
};

// app/page/scope.js 231f1b476424434ac3760341444b0c1a9b589edba74fb9f0cffa8a35387d7a88
static const unsigned char bytes_118[] = {
#embed "../../../Web/app/page/scope.js"
};

// app/page/sheet.js ec9610c8857eafe48d722925350937c5e56f4d1dd04ee92a1cb570009caa3a82
static const unsigned char bytes_119[] = {
#embed "../../../Web/app/page/sheet.js"
};

// app/page/throttle.js eef611586c97eead165f163f1eadf058ddda2e06dee21cfba4939f30756e4e8c
static const unsigned char bytes_120[] = {
#embed "../../../Web/app/page/throttle.js"
};

// app/page/title.js 58f846286f7b8ac29ac1e39aa0d2fb3191a8b32a1ffd1ba22fc7f28ae7cd0491
static const unsigned char bytes_121[] = {
#embed "../../../Web/app/page/title.js"
};

// app/page/toasts.js d349812a51d1b6dc57d95a3ea1bea5fbaf4a203838d26cd0d53706830c631448
static const unsigned char bytes_122[] = {
#embed "../../../Web/app/page/toasts.js"
};

// app/people/avatar.js 6b8489f2ffb3f749787c78d4b461706fc8fe165d979206a7790d5d2c969bb24d
static const unsigned char bytes_123[] = {
#embed "../../../Web/app/people/avatar.js"
};

// app/people/color.js 791cfdae327b2b3e6402fd2b45279cb4feaeac433c9d076e32f6579554742697
static const unsigned char bytes_124[] = {
#embed "../../../Web/app/people/color.js"
};

// app/people/deuteranopia.js 4bf6919603cc7bb58e8f765c6b98ae25f0055338f9a5dc8ce957069903b1dd29
static const unsigned char bytes_125[] = {
#embed "../../../Web/app/people/deuteranopia.js"
};

// app/people/face.js e3f13425a391cec9c9f56c5bfd0a20f23ffe3cfb19a542ae2735fb25130ee3f5
static const unsigned char bytes_126[] = {
#embed "../../../Web/app/people/face.js"
};

// app/people/initials.js a61cd616c1e5b3d61745505e8850c6c34fffca76644e188a47566db21a633599
static const unsigned char bytes_127[] = {
#embed "../../../Web/app/people/initials.js"
};

// app/people/own-hue.js 5148bb1581a188f354a71f58e5847e1f1a938c435332b5bde624dacd848c791b
static const unsigned char bytes_128[] = {
#embed "../../../Web/app/people/own-hue.js"
};

// app/people/photos.js 1503251548203788302bbd27ce4d1fec0d68e8df0aa310e5bc14db6afdd4dfb7
static const unsigned char bytes_129[] = {
#embed "../../../Web/app/people/photos.js"
};

// app/people/times.js e3e542557162d1ce8cbd0a1c9b6baed846255abb68b3ec0879be0fbb81f1524a
static const unsigned char bytes_130[] = {
#embed "../../../Web/app/people/times.js"
};

// app/places/choice.js ee36e0efab56abee719fdf6797f05ca90e0b4c3763c1d5b660f370b925311b19
static const unsigned char bytes_131[] = {
#embed "../../../Web/app/places/choice.js"
};

// app/places/count-text.js 72bf2dbd420bfe5c6de0611a38aa3ad8ebc6c886acbf4fbf679972c5cebc8cf5
static const unsigned char bytes_132[] = {
#embed "../../../Web/app/places/count-text.js"
};

// app/places/fetched-region.js 1c9020638eca9e352caded2b663a7e85f51ce94fc5fc24ca7f41b31585bd72f6
static const unsigned char bytes_133[] = {
#embed "../../../Web/app/places/fetched-region.js"
};

// app/places/field-value.js 00d4ef7df7ace61a91694b1a5205a6f1e9d67381dcc3b426fea70026da993f59
static const unsigned char bytes_134[] = {
#embed "../../../Web/app/places/field-value.js"
};

// app/places/object-view.js faccf4f9984e66351ac85c7f14b0e1360f25bd320c2593b65b0abf4ef846465e
static const unsigned char bytes_135[] = {
#embed "../../../Web/app/places/object-view.js"
};

// app/places/object-watch.js 4336e78432b3beaae9c7ef4b5ff2925a93e4d601cc310ae2de1f6d33c054c21b
static const unsigned char bytes_136[] = {
#embed "../../../Web/app/places/object-watch.js"
};

// app/places/place-callout.js 0e407560653d146cd4d96460be7eff76837e044301e4ce96ed73606821d7d688
static const unsigned char bytes_137[] = {
#embed "../../../Web/app/places/place-callout.js"
};

// app/places/place-layer.js 5273c516d99f70c42e9742bcedce5e7765f02cb0399f3a6537ada1430fc690b3
static const unsigned char bytes_138[] = {
#embed "../../../Web/app/places/place-layer.js"
};

// app/places/place-names.js f52f25ab8adf252b9414711d7f54c39fd0049be3ffca450d43bb371fd241b1df
static const unsigned char bytes_139[] = {
#embed "../../../Web/app/places/place-names.js"
};

// app/places/place-tile.js df649d1cfffa7020c1e36441bb3c52b92cc07a046536805336ddef729821f933
static const unsigned char bytes_140[] = {
#embed "../../../Web/app/places/place-tile.js"
};

// app/places/place.js cf97ddcb93b352f9fe814d5c9c243e7997c9debd0284d71a19d6297aa8b191b2
static const unsigned char bytes_141[] = {
#embed "../../../Web/app/places/place.js"
};

// app/places/places-count.js 201d17ca410b7aac968868e02237d2c168309ebf10dc89f28cf5701f214f1775
static const unsigned char bytes_142[] = {
#embed "../../../Web/app/places/places-count.js"
};

// app/places/places-view.js 773797a034501e09fd693149c0b09da53196c27aebb368157a64e3861e5e631a
static const unsigned char bytes_143[] = {
#embed "../../../Web/app/places/places-view.js"
};

// app/places/places.js a08c563f267d829cad7631d617ee245312d05610c8e5acca0517c58abf575935
static const unsigned char bytes_144[] = {
#embed "../../../Web/app/places/places.js"
};

// app/places/quiet-announcer.js cadf183a3def0756c0813e9f390db2f4834ba539b9ab4f80cff39e8c6bd5419c
static const unsigned char bytes_145[] = {
#embed "../../../Web/app/places/quiet-announcer.js"
};

// app/positions/all-positions.js 8c26440791d8fefe3b18cba47f5b2d291d275ca2cd0c5697add6ca1b72a974e5
static const unsigned char bytes_146[] = {
#embed "../../../Web/app/positions/all-positions.js"
};

// app/positions/bounds.js ee01ef7ba7f2cac922d76ac7d3be2ec1d9f73d6686c10c983933873a5cf3c6e8
static const unsigned char bytes_147[] = {
#embed "../../../Web/app/positions/bounds.js"
};

// app/positions/drawn-positions.js 332bcaab457ec7c3deb81154eba0f8bbd9e928bd65d00eaff235eb399f670b1d
static const unsigned char bytes_148[] = {
#embed "../../../Web/app/positions/drawn-positions.js"
};

// app/positions/overview.js 994a0d205a87a71f00ac408c7e456b06e8cdb677e665aa2575d1d1bc887f178d
static const unsigned char bytes_149[] = {
#embed "../../../Web/app/positions/overview.js"
};

// app/positions/picture.js 2c2a89818f575fdd1905a37d9f2753a9b248e912e25b611a8a9080f1a7de5643
static const unsigned char bytes_150[] = {
#embed "../../../Web/app/positions/picture.js"
};

// app/positions/position-columns.js 2e2f27861bf3364e88830224b5233336d03c83c7527ab0fa208951f11088b541
static const unsigned char bytes_151[] = {
#embed "../../../Web/app/positions/position-columns.js"
};

// app/positions/reach-section.js 5d47991b602f8fd18c15c7569cc4087ff7a293a739cb286e4d4d9b0e34925401
static const unsigned char bytes_152[] = {
#embed "../../../Web/app/positions/reach-section.js"
};

// app/positions/stretch.js 9a52abdbb1121f1c74039e04a016844d4c5b052f3d60adbf6aae78e64738d570
static const unsigned char bytes_153[] = {
#embed "../../../Web/app/positions/stretch.js"
};

// app/region/live-region.js af1c39db4ea256a398cc9a5cf1930e63e316a4a280524c47e100cc8abe7bbd13
static const unsigned char bytes_154[] = {
#embed "../../../Web/app/region/live-region.js"
};

// app/region/object-annotations.js 647d50334008e932122846aeeface162c2627530e8564b2c7b6352b2030bd298
static const unsigned char bytes_155[] = {
#embed "../../../Web/app/region/object-annotations.js"
};

// app/region/region-cache.js 45b107fd0a61eba8588666416e910facb52636847b5cce35606a59dbc53f7c29
static const unsigned char bytes_156[] = {
#embed "../../../Web/app/region/region-cache.js"
};

// app/region/region-kinds.js ddceceaeda9208e815ff39cd9930e1e9277f6344f8575dd9752c0913a0a10471
static const unsigned char bytes_157[] = {
#embed "../../../Web/app/region/region-kinds.js"
};

// app/region/region-list.js 9055bbb44682030a60b9e5c284a5d6067e8b2293629aa6079e45570eb7034fa3
static const unsigned char bytes_158[] = {
#embed "../../../Web/app/region/region-list.js"
};

// app/region/region-query.js e4d947afa3baa3c825dc1ef01c258d12bf15794669ee3d2f6c862f131ee3de97
static const unsigned char bytes_159[] = {
#embed "../../../Web/app/region/region-query.js"
};

// app/region/region-view.js cdc3783cfed4e9fa3b97eb85cd8a2c4d69e228dcb1b195507f1b86677e7017e7
static const unsigned char bytes_160[] = {
#embed "../../../Web/app/region/region-view.js"
};

// app/region/region.js 2317823092c307c99a8338cb1ffeddce4ec3b27dcd1511e898d97b52fd0ff3f8
static const unsigned char bytes_161[] = {
#embed "../../../Web/app/region/region.js"
};

// app/rest/rest.js 3b2c2e4faa2f92c909db2dbb7e896cf99f12c61e83d69930fc594447f9ebccd8
static const unsigned char bytes_162[] = {
#embed "../../../Web/app/rest/rest.js"
};

// app/session/account-view.js 33990ec1aedcfca8452ca66fe68a6b60ecc69191cf79173abc01c228461957c1
static const unsigned char bytes_163[] = {
#embed "../../../Web/app/session/account-view.js"
};

// app/session/account.js 190057036272fc947210348cf0e9876b402c7852a3488eeb9f71d8440f7ed40f
static const unsigned char bytes_164[] = {
#embed "../../../Web/app/session/account.js"
};

// app/session/color-section.js 8b46368998a89cd4cb3e7bd5d701013fb2d323a128b626542a0a77e4e269b309
static const unsigned char bytes_165[] = {
#embed "../../../Web/app/session/color-section.js"
};

// app/session/departed-view.js d834f262bcc7f54c9c98fe9c6347b246e3c4268893e92d657e5863b97d3cc301
static const unsigned char bytes_166[] = {
#embed "../../../Web/app/session/departed-view.js"
};

// app/session/departure.js 4f3195e22c70407ae26dd04014c1be0181abe22616326268108a21eda1785489
static const unsigned char bytes_167[] = {
#embed "../../../Web/app/session/departure.js"
};

// app/session/language-section.js 5d9ae395c27fcbbc5fd54f6d69a77f77a19a518458df109ae37066a53abe3c96
static const unsigned char bytes_168[] = {
#embed "../../../Web/app/session/language-section.js"
};

// app/session/link-question.js acd770dd233fe9458f26117085a648c87c559a04ff4b581c836eef92c4efda66
static const unsigned char bytes_169[] = {
#embed "../../../Web/app/session/link-question.js"
};

// app/session/person.js f810406a2505edb053eb1155304f941d8821e983927d10e0509b7fc5eff88c00
static const unsigned char bytes_170[] = {
#embed "../../../Web/app/session/person.js"
};

// app/session/picture-section.js c989fc1fb33cb1afb1a7ef15929d82e151f5aa1788de33fb1bf709be3eefd92e
static const unsigned char bytes_171[] = {
#embed "../../../Web/app/session/picture-section.js"
};

// app/session/sessions-section.js 2d7a41fbdb0b6c5f8f7e6b29f8ad181d7c066a2dedaa51d354c3f3b691b0438f
static const unsigned char bytes_172[] = {
#embed "../../../Web/app/session/sessions-section.js"
};

// app/session/sign-in-form.js ee2a2ab23dbe229d00c4e7f9bdd9c470ee714494a086beba024bdcb7045e79b7
static const unsigned char bytes_173[] = {
#embed "../../../Web/app/session/sign-in-form.js"
};

// app/session/sign-out.js 519f57a7fc1f6b3668770404508b914c485c0cd5a126bf2c6cfaef875e2b49b0
static const unsigned char bytes_174[] = {
#embed "../../../Web/app/session/sign-out.js"
};

// app/session/welcome-view.js 0f48acbba4df92c78e064ddab8a121711ec50e4bbdf2ee9db62065fc028440cf
static const unsigned char bytes_175[] = {
#embed "../../../Web/app/session/welcome-view.js"
};

// app/sharing/awaited-start.js 7f2fe621cbe58ceeb91138588cc00d311ab7f44d271521b3749ae87460026a1e
static const unsigned char bytes_176[] = {
#embed "../../../Web/app/sharing/awaited-start.js"
};

// app/sharing/fix.js e462ba9acd98e0ec8f945ef36a5a21c79350a440ce8993bdd411afa4e0daafaf
static const unsigned char bytes_177[] = {
#embed "../../../Web/app/sharing/fix.js"
};

// app/sharing/follow-shares.js 5e64599e1a6bb687df1a8db0adfb6a29e79b36f35584abed653eb7828e418270
static const unsigned char bytes_178[] = {
#embed "../../../Web/app/sharing/follow-shares.js"
};

// app/sharing/outbox.js a9662c67105132acaa8c0a061ea2f805e0c6bb09d676eddb311c0010e3135b9f
static const unsigned char bytes_179[] = {
#embed "../../../Web/app/sharing/outbox.js"
};

// app/sharing/own-place.js 0f1a88ae736c4d86a1f7d5aed760c200c870b1b91fe50a82b033807333c75885
static const unsigned char bytes_180[] = {
#embed "../../../Web/app/sharing/own-place.js"
};

// app/sharing/own-shares.js 526ef6ca68f3d4f544ac7cef5ecde03044b7700aede769aa3c30ea42f4eb29ea
static const unsigned char bytes_181[] = {
#embed "../../../Web/app/sharing/own-shares.js"
};

// app/sharing/own-standing.js 2f7cc21d3712eaa2b8c95daafe23d2af350e94152f24ded73f5f87854290e22d
static const unsigned char bytes_182[] = {
#embed "../../../Web/app/sharing/own-standing.js"
};

// app/sharing/reported.js 6dfe833d4475f1928b972b58c45b122d357c9e5f0676eca40fda2b77b308aaa8
static const unsigned char bytes_183[] = {
#embed "../../../Web/app/sharing/reported.js"
};

// app/sharing/screen-lock.js 48eb0d3a27a0cfe12cea619fec8c26ff42adf41c1cee483209aed5c137d38ad5
static const unsigned char bytes_184[] = {
#embed "../../../Web/app/sharing/screen-lock.js"
};

// app/sharing/seen-summary.js 04c504fcb3097c076d0f54319dea00d1cbf15e871637a429a5adba5ecb6ff47d
static const unsigned char bytes_185[] = {
#embed "../../../Web/app/sharing/seen-summary.js"
};

// app/sharing/seen-view.js 427f83f204791b689d23e8815d28892f7c1dfcb2980b0f42dd041665ff031045
static const unsigned char bytes_186[] = {
#embed "../../../Web/app/sharing/seen-view.js"
};

// app/sharing/sender.js bf0043d63de80dc43df03cbb43960aacc52fb968bcfe9c7ccfd02804f4c50ccf
static const unsigned char bytes_187[] = {
#embed "../../../Web/app/sharing/sender.js"
};

// app/sharing/share-actions.js 743f4f26783765015df0369833c4425ddfaaf66cf672b4ba24df73bbcfd12107
static const unsigned char bytes_188[] = {
#embed "../../../Web/app/sharing/share-actions.js"
};

// app/sharing/share-bar.js 75f38c022df2dd0b5a5b6e6a67b250be8976e78bdb5cc4c68fc8ca69ac43cabd
static const unsigned char bytes_189[] = {
#embed "../../../Web/app/sharing/share-bar.js"
};

// app/sharing/share-choice.js 86f707066f6faf5f05b4cb7824d8fa94285e861a83bb37f2e6dfec75aa38c7f0
static const unsigned char bytes_190[] = {
#embed "../../../Web/app/sharing/share-choice.js"
};

// app/sharing/share-dialog.js bbf8872757f54ae605e3c8e4478f1ebb1d19a4bfa27d8c90c1ba899bfc37eb32
static const unsigned char bytes_191[] = {
#embed "../../../Web/app/sharing/share-dialog.js"
};

// app/sharing/share-record.js 632fdafe814d09bc26186e031aaad8f4604834e1044164b2a27b5478957e3bd2
static const unsigned char bytes_192[] = {
#embed "../../../Web/app/sharing/share-record.js"
};

// app/sharing/share-records.js 42124039a8a03e54a47efa6af645b703e4852fae1e5f0f2964de682d4e0a7a24
static const unsigned char bytes_193[] = {
#embed "../../../Web/app/sharing/share-records.js"
};

// app/sharing/share-toggle.js 1432069e7bfc8431a692cfcc8b3002c8fb186f705f4098a7b48b42faeade9daa
static const unsigned char bytes_194[] = {
#embed "../../../Web/app/sharing/share-toggle.js"
};

// app/sharing/sharer.js 9c931d099b0ade089e1e46af86a5461ba0ba4f4142126752877a1a183e10faf4
static const unsigned char bytes_195[] = {
#embed "../../../Web/app/sharing/sharer.js"
};

// app/sharing/sharing.js 9a334afe4627bc7d39659d7002d3a32bcf2561961149a74c220d23da03f278ae
static const unsigned char bytes_196[] = {
#embed "../../../Web/app/sharing/sharing.js"
};

// app/sharing/silence.js 3b41c6295df7905f87981a20124874c58195d1785b9bdcad297f124ebf7b11e5
static const unsigned char bytes_197[] = {
#embed "../../../Web/app/sharing/silence.js"
};

// app/sharing/spoken.js 4498b17653d2d7d6c73242ab318421f1f2342756047151ff8434e1b1815b005f
static const unsigned char bytes_198[] = {
#embed "../../../Web/app/sharing/spoken.js"
};

// app/sharing/starts.js cfcf27e9ad2d4bd4f70a44970659a0bd81acf0d426e36234a9d9e065380a626c
static const unsigned char bytes_199[] = {
#embed "../../../Web/app/sharing/starts.js"
};

// app/sharing/status-bar.js 81bc22db22e693fe34122a253747b3dcbbf738c5dc80fcf2ff05200ae09019b2
static const unsigned char bytes_200[] = {
#embed "../../../Web/app/sharing/status-bar.js"
};

// app/sharing/stops.js a430584e67b12214288814bf37896a7cfed012a0998e9c79631053d8e10f7094
static const unsigned char bytes_201[] = {
#embed "../../../Web/app/sharing/stops.js"
};

// app/sharing/tabs.js 1706020ee7506c6f71a9c6f0cb751460c1fae480f81cfed69e5f2937022c7b7e
static const unsigned char bytes_202[] = {
#embed "../../../Web/app/sharing/tabs.js"
};

// app/sharing/who-sees.js 741ee9c5f1e82c8bae03990cb5121249ce5d959abaefb3ae3014a07b3b6ce6a9
static const unsigned char bytes_203[] = {
#embed "../../../Web/app/sharing/who-sees.js"
};

// app/shell/shell.js 90a30c8a2326a9255e5a5c51b77c476cdd4242542a2e3f449b849c80029536c9
static const unsigned char bytes_204[] = {
#embed "../../../Web/app/shell/shell.js"
};

// app/storage/shelf.js a77b07dafa69a8c55ceb57c1fa96c009dd5742b997f2bfa87bb926b2596051e4
static const unsigned char bytes_205[] = {
#embed "../../../Web/app/storage/shelf.js"
};

// app/storage/store.js e5ef52cf38e0bc4f269f254682a8e87002aaa388e475a9d22f46b645763e534e
static const unsigned char bytes_206[] = {
#embed "../../../Web/app/storage/store.js"
};

// app/stream/backoff.js 3d4679c4cf0d234f6558c5b338b5c27c16636f74170ac5b8d7b3ee618a86a022
static const unsigned char bytes_207[] = {
#embed "../../../Web/app/stream/backoff.js"
};

// app/stream/key.js 6c182d2a00c6365123712bd42f1dc589f0a40702ce1b7fc6151ebdc1fe149543
static const unsigned char bytes_208[] = {
#embed "../../../Web/app/stream/key.js"
};

// app/stream/refusal.js 562be14650ceddc3d4ebd0b1c9fb14a19066d151b5b50f54485bd87fa73e99b9
static const unsigned char bytes_209[] = {
#embed "../../../Web/app/stream/refusal.js"
};

// app/stream/requests.js 2e34052091aef0f002d37f1ae1f4fc5033a3d0447891e2418e74550f61527b72
static const unsigned char bytes_210[] = {
#embed "../../../Web/app/stream/requests.js"
};

// app/stream/server-clock.js bba85998a30b09572314a60d582db1585d24e3fa6a42055071c0924f932c4ce9
static const unsigned char bytes_211[] = {
#embed "../../../Web/app/stream/server-clock.js"
};

// app/stream/stream.js 8f49d516512de78ded218ff791b206916d95d49f465e6fd7e7f6aa8a01ff2c71
static const unsigned char bytes_212[] = {
#embed "../../../Web/app/stream/stream.js"
};

// app/stream/subscriptions.js 0acdaccaec89d085a9b19807bac6ff7e6c5250bd1626c8c2d51ad6c255343ab9
static const unsigned char bytes_213[] = {
#embed "../../../Web/app/stream/subscriptions.js"
};

// app/words/english.js 2a28cba0f6d67e1d417e74d57c396fb59668f1c5b3e4acd57d423ffc3b7c2143
static const unsigned char bytes_214[] = {
#embed "../../../Web/app/words/english.js"
};

// app/words/german.js 6df971f0d56d03124276b60fc43dd5b230a6c7896e19e02b67bbca4077d769e3
static const unsigned char bytes_215[] = {
#embed "../../../Web/app/words/german.js"
};

// app/words/isolated.js b4bfe53138c995ff515810e9c1b2789050c23bea08028ce21807e2662bf52a9b
static const unsigned char bytes_216[] = {
#embed "../../../Web/app/words/isolated.js"
};

// app/words/locale.js 403369b27a7f86ef866bd1ab935f49a1800cd30874645d5d85e7fd7d944f41a3
static const unsigned char bytes_217[] = {
#embed "../../../Web/app/words/locale.js"
};

// app/words/words.js 1e74de0eedeb9cda40c8ce52c725f862327a9a8800b4ac621b7c7b45ea0591be
static const unsigned char bytes_218[] = {
#embed "../../../Web/app/words/words.js"
};

// app/world/live-world.js 63ef7ddddcd1fe2c9918f9ea37b78aa8d395f9a1947d0f196296bdf9246ba31b
static const unsigned char bytes_219[] = {
#embed "../../../Web/app/world/live-world.js"
};

// app/world/world-return.js 88c45b1fb532bb21c8fab9cbd6d6c810367339163fb11d23a93e5ef0331b5ebf
static const unsigned char bytes_220[] = {
#embed "../../../Web/app/world/world-return.js"
};

// app/world/world-view.js a64be9bdcb5699ceed4e679214357ab6fa8f7c4970c48b82a94533cc8f4aae6c
static const unsigned char bytes_221[] = {
#embed "../../../Web/app/world/world-view.js"
};

// app/world/world.js f0a02ce92dba92b46d0f193a5be99d99a4a44292dca1370b9e7effd9c14c429a
static const unsigned char bytes_222[] = {
#embed "../../../Web/app/world/world.js"
};

// control/entities/deletion-dialog.js 67489be6f5cb8f417031cece549cbf5535c214e8f17f1106174910fb41a933a5
static const unsigned char bytes_223[] = {
#embed "../../../Web/control/entities/deletion-dialog.js"
};

// control/entities/entities.js 4a3ba41f97b09edf5860b649d351c9e10d5e2324c177dd55a8ac15863f358349
static const unsigned char bytes_224[] = {
#embed "../../../Web/control/entities/entities.js"
};

// control/entities/entity-list-view.js 5898b7c6e8c2d72e5b2b32354862530879bcd97bacc4b2ebf1e517f811a7285d
static const unsigned char bytes_225[] = {
#embed "../../../Web/control/entities/entity-list-view.js"
};

// control/entities/field-editor.js 33487ce9871b747cb255480b5994972ce79c73d079bd415d8a630bb8d83785fd
static const unsigned char bytes_226[] = {
#embed "../../../Web/control/entities/field-editor.js"
};

// control/entities/schema-view.js 6824dc4f3389436f7de60851b67144d30d832a1928a92db213c8bf636c84eebd
static const unsigned char bytes_227[] = {
#embed "../../../Web/control/entities/schema-view.js"
};

// control/entities/schema.js 17bb837f675654fc05f62eab2ed70d0de642c65e783b5f812c062c3fe2ac9394
static const unsigned char bytes_228[] = {
#embed "../../../Web/control/entities/schema.js"
};

// control/location/candidate-list.js 3c574e0ba302f41b1232aea1f9d7ce472ebd55461a45c392d34d64aa3c6bda68
static const unsigned char bytes_229[] = {
#embed "../../../Web/control/location/candidate-list.js"
};

// control/location/geocoding.js 56227dfa13362c0898313f9d9a246c7febdcaf32ef7ac423fc3a519985ee65c8
static const unsigned char bytes_230[] = {
#embed "../../../Web/control/location/geocoding.js"
};

// control/location/location-field.js 4b62932d861e0167b8eaa8c2ad42c186a8d75e6436ae4f3755773d999bd7df84
static const unsigned char bytes_231[] = {
#embed "../../../Web/control/location/location-field.js"
};

// control/location/maplibre-place-map.js 4ee1fcdefac9282e6bc5dff67959f89228fd93e008720abfb632641d88dadb33
static const unsigned char bytes_232[] = {
#embed "../../../Web/control/location/maplibre-place-map.js"
};

// control/location/place-map.js cab10fdf202afe69eecda55785fdbd9b3f589f4210fcc02509ebafb18e5f65ff
static const unsigned char bytes_233[] = {
#embed "../../../Web/control/location/place-map.js"
};

// control/main.js a0edcf1d8cdfa37a5176897901cf2b072e464245cea565e8586846b854a5dec2
static const unsigned char bytes_234[] = {
#embed "../../../Web/control/main.js"
};

// control/objects/cells.js 4424fd94cd4cfbb2589ade61e218bd24cecc32e64a42942c81159db72c4e0fb4
static const unsigned char bytes_235[] = {
#embed "../../../Web/control/objects/cells.js"
};

// control/objects/condition-editor.js 62b85bc2ee5da7d8971bb49d8eaac3f65f9072e60f0d1f2bc8010704420a1e75
static const unsigned char bytes_236[] = {
#embed "../../../Web/control/objects/condition-editor.js"
};

// control/objects/conditions.js ccc98a0cba12ee7560c92f47cd56cba4401a76d9c7cd39aa2c73866e234b42be
static const unsigned char bytes_237[] = {
#embed "../../../Web/control/objects/conditions.js"
};

// control/objects/dates.js 39d54a5cf691411837204103db9890e11993e537ef6eb7bfcec58c69d28802b1
static const unsigned char bytes_238[] = {
#embed "../../../Web/control/objects/dates.js"
};

// control/objects/field-control.js 01212f217d1cb48150fc1da8c152250584ec18fb396784c4681511f681ec271e
static const unsigned char bytes_239[] = {
#embed "../../../Web/control/objects/field-control.js"
};

// control/objects/labels.js 2bd67dffc30fbb60f704af6a5b82442a962c3f988388ef7231729f129dd8f1f6
static const unsigned char bytes_240[] = {
#embed "../../../Web/control/objects/labels.js"
};

// control/objects/object-view.js f8ef934910309a407d3d9c55f62e20e8cfbfd6b07c146d5ce165e893bbb332b9
static const unsigned char bytes_241[] = {
#embed "../../../Web/control/objects/object-view.js"
};

// control/objects/objects.js a640c18f58be4706adb3dc5add5202e52c8ddf8ac6e5a37778d79a68bc7a9d55
static const unsigned char bytes_242[] = {
#embed "../../../Web/control/objects/objects.js"
};

// control/objects/pages.js 868baa7b7cef1c2e36b72e4f0f92548c75f51e6436c74eb3cdd5990c4ec6d3c6
static const unsigned char bytes_243[] = {
#embed "../../../Web/control/objects/pages.js"
};

// control/objects/raw-json.js 6cc2743f8707406feebac35594859db376c78924bab52e059a195fde0ca8639b
static const unsigned char bytes_244[] = {
#embed "../../../Web/control/objects/raw-json.js"
};

// control/objects/reference-field.js f0de3878782c7dc6507be0f2e66f3df34900ef41ea8586d853c3832fde143466
static const unsigned char bytes_245[] = {
#embed "../../../Web/control/objects/reference-field.js"
};

// control/objects/table-state.js 9e1f49185e8ac5342ded6091d23e07672482564610e1e8df7bee7097646fe334
static const unsigned char bytes_246[] = {
#embed "../../../Web/control/objects/table-state.js"
};

// control/objects/table-view.js 03488fceab898a3acd885e500561cbd9cc85f8fa01ebed54135ca0021307be0e
static const unsigned char bytes_247[] = {
#embed "../../../Web/control/objects/table-view.js"
};

// control/objects/table.js 8b90ebdfed078c363909b9ebe2bcd0cf50065d87ce585fadb07b8f91f3ead0c4
static const unsigned char bytes_248[] = {
#embed "../../../Web/control/objects/table.js"
};

// control/objects/values.js cbd1f68ff40729ee6a4b9c0879a7053e3d59226d9cc4a363b109f44d0d784e8e
static const unsigned char bytes_249[] = {
#embed "../../../Web/control/objects/values.js"
};

// control/panel/asking.js cc1df15bfd4e1d3a0782bf52bdf69ff22df6d551b992cf37a2b3b0fa8bb28989
static const unsigned char bytes_250[] = {
#embed "../../../Web/control/panel/asking.js"
};

// control/panel/combobox.js f11f1d61c817bf88b43cc1966d889491ce7ae1cd992438004a247896aafb46c6
static const unsigned char bytes_251[] = {
#embed "../../../Web/control/panel/combobox.js"
};

// control/panel/control-panel.js b38383e10d5e6e28d990ab7718b8484faebb776dbed44c5762e73e92478052f2
static const unsigned char bytes_252[] = {
#embed "../../../Web/control/panel/control-panel.js"
};

// control/panel/headings.js 34339750bc3cc93ac2476155c906191f9ca55cd83dc78c4f584b7babe5062370
static const unsigned char bytes_253[] = {
#embed "../../../Web/control/panel/headings.js"
};

// control/panel/inputs.js e877abc98ff0fc39be3bc4f32f33d6b1448cea6e572a4a92cc0c20781d6c6d75
static const unsigned char bytes_254[] = {
#embed "../../../Web/control/panel/inputs.js"
};

// control/panel/query.js 1307064cf05cffd0e365ba47a969d5abc06bcad3f3ffd82d177aaa3e6801f735
static const unsigned char bytes_255[] = {
#embed "../../../Web/control/panel/query.js"
};

// control/transfer/import-view.js ff04ddcfc562ba49abbceb67426a4a90e76c9dedf63e65a6bee762efaa6318d2
static const unsigned char bytes_256[] = {
#embed "../../../Web/control/transfer/import-view.js"
};

// control/transfer/mapping.js 768ff503c45681080da961b3e85ebce7c2d0f887c5413ca84dfb28190f265e26
static const unsigned char bytes_257[] = {
#embed "../../../Web/control/transfer/mapping.js"
};

// control/transfer/tables.js 805ec53cdd3deff1ea4e041b76b5da1cf17a3fcb212e1358b719c066af6fd160
static const unsigned char bytes_258[] = {
#embed "../../../Web/control/transfer/tables.js"
};

// control/transfer/upload.js 3f0482640acef8b281966a3dd7d85e449cc3c7a54d55e7845cbf8e475c0a8aec
static const unsigned char bytes_259[] = {
#embed "../../../Web/control/transfer/upload.js"
};

// licenses/maplibre-gl.txt af5553bf668a2512375a63290818d3dc622e018b38cb9a6630ea49f0bd3ce0bb
static const unsigned char bytes_260[] = {
#embed "../../../Web/licenses/maplibre-gl.txt"
};

// map/colors.js f9a35d41e9c0d8db2c0fd53ef93a6e3f9cfc552f909014d144b8a4aba0a36bdf
static const unsigned char bytes_261[] = {
#embed "../../../Web/map/colors.js"
};

// map/kinds.js 2acde435a5195cb2ad37e237f9bcb6e4e52a9268bf766c59d09a719d2d4f14be
static const unsigned char bytes_262[] = {
#embed "../../../Web/map/kinds.js"
};

// map/lettering.js 20d79809f167b5e8f8acbd673aaa554d2f15b2e64786afbc01d0030630e678f8
static const unsigned char bytes_263[] = {
#embed "../../../Web/map/lettering.js"
};

// map/right-to-left.js 683a53858fcb61684a6f4443d640359e973e1a6ed816850125f9f15cf9c2e663
static const unsigned char bytes_264[] = {
#embed "../../../Web/map/right-to-left.js"
};

// map/schemas.js 2c1153f454bbe2fce390652a899bd085d4478b472e9789a479f59f5ee9c4ba4a
static const unsigned char bytes_265[] = {
#embed "../../../Web/map/schemas.js"
};

// map/style.js eadda31b8df43d35a3d9bb74557878ebf3666cf29fc46a08efa04e866df943c9
static const unsigned char bytes_266[] = {
#embed "../../../Web/map/style.js"
};

// style/base.css e45c3e389bbf356fb65826e5a313efc90f4906ecdb40ece24a743218fb8df772
static const unsigned char bytes_267[] = {
#embed "../../../Web/style/base.css"
};

// style/chats.css b382dc7d357b3b62fd702af5dbdc906552318d411181bba29bf9f75b72b446aa
static const unsigned char bytes_268[] = {
#embed "../../../Web/style/chats.css"
};

// style/control.css ce05f22d13e040c717b2b99158ae4c9ed57e9684635a8ce18923b4f847a0cd58
static const unsigned char bytes_269[] = {
#embed "../../../Web/style/control.css"
};

// style/controls.css 2954de2e7d0c5685d437ce288721b2e17fd94a1520f770425a5021617075a14c
static const unsigned char bytes_270[] = {
#embed "../../../Web/style/controls.css"
};

// style/history.css 71e2abfad54480310b0111117cadc1cf1052acbadbe2ff6cc1155a94369eb160
static const unsigned char bytes_271[] = {
#embed "../../../Web/style/history.css"
};

// style/large-text.css 57f6ab55881b10c9077ea826960d80ba6c87e4340a93d835c55c285aa5bdd8bd
static const unsigned char bytes_272[] = {
#embed "../../../Web/style/large-text.css"
};

// style/lists.css 974adc23b63cd130e489eb969ba464640f5da7a113f5116f090fa46799d0bbea
static const unsigned char bytes_273[] = {
#embed "../../../Web/style/lists.css"
};

// style/map-note.css 9e3af8910ab42f32a27824a80441aaf501c2040f10143bdc40aaf43868294be0
static const unsigned char bytes_274[] = {
#embed "../../../Web/style/map-note.css"
};

// style/map.css 49fe29af79951b280e843889625232aa9ff3cf6582045725050a5a60ebeeb91d
static const unsigned char bytes_275[] = {
#embed "../../../Web/style/map.css"
};

// style/page.css aca5fc7912888b01059ecad60584f8b31cba72e962f63ac21b3e601ba9600155
static const unsigned char bytes_276[] = {
#embed "../../../Web/style/page.css"
};

// style/sharing.css d07d2d8dfcb83f35d4c517cf34144e9611e443d30041dc4f297e66e67ecb3951
static const unsigned char bytes_277[] = {
#embed "../../../Web/style/sharing.css"
};

// style/tokens.css 733836998cfdff7e84d642d513f1470e9dde9fb594d3ed81e908ed4cef069522
static const unsigned char bytes_278[] = {
#embed "../../../Web/style/tokens.css"
};

// vendor/maplibre-gl.css ab1e70d59ec40465bae7e7030da2f3ccf28133fd502e62bd598eefbadfd7a732
#if __has_embed("../../../Web/vendor/maplibre-gl.css") == __STDC_EMBED_FOUND__
#define HAS_279 1
static const unsigned char bytes_279[] = {
#embed "../../../Web/vendor/maplibre-gl.css"
};
#if __has_embed("../../../Web/vendor/maplibre-gl.css.gz") == __STDC_EMBED_FOUND__
#define HAS_GZIPPED_279 1
static const unsigned char gzipped_279[] = {
#embed "../../../Web/vendor/maplibre-gl.css.gz"
};
#endif
#endif

// vendor/maplibre-gl.js 45a9b07a9189ce56054c620a947ccf41e291e58c95e9b61533b740aaa65ee5cb
#if __has_embed("../../../Web/vendor/maplibre-gl.js") == __STDC_EMBED_FOUND__
#define HAS_280 1
static const unsigned char bytes_280[] = {
#embed "../../../Web/vendor/maplibre-gl.js"
};
#if __has_embed("../../../Web/vendor/maplibre-gl.js.gz") == __STDC_EMBED_FOUND__
#define HAS_GZIPPED_280 1
static const unsigned char gzipped_280[] = {
#embed "../../../Web/vendor/maplibre-gl.js.gz"
};
#endif
#endif

// apple-touch-icon.png 9fb0b574e327feb37f2a18fc3eb07fcea92a90f135f4cfc39a9f8731a6d8c683
static const unsigned char bytes_281[] = {
#embed "../../../Web/apple-touch-icon.png"
};

// control.html bdbdb5ef895767949b49001fd5aa17100623c1e349797a1256b0fe40a28d9984
static const unsigned char bytes_282[] = {
#embed "../../../Web/generated/control.html"
};

// icon-192.png 8e15d0b2b0c6b59c96b41274973287eb5fde6a1276d08409d18a9288187a4b81
static const unsigned char bytes_283[] = {
#embed "../../../Web/icon-192.png"
};

// icon-512.png 97a8dc6faf63a732863dcdf316591c0b367745104b6242c8cc069593f5fe699d
static const unsigned char bytes_284[] = {
#embed "../../../Web/icon-512.png"
};

// icon-maskable-512.png dd7a26e184e985452a68e7db579d8b19e92a2a0c6de6ec8545a2ec4804197800
static const unsigned char bytes_285[] = {
#embed "../../../Web/icon-maskable-512.png"
};

// icon-maskable.svg c8b6d1e9b02e38e310f2e771109f8c4477602818477d29fa1194746fbba12f28
static const unsigned char bytes_286[] = {
#embed "../../../Web/icon-maskable.svg"
};

// icon-unread.svg 3ffe374d813fcbebdb359002baa7b49b5df3c9fc4535516cef30db8d3fa60119
static const unsigned char bytes_287[] = {
#embed "../../../Web/icon-unread.svg"
};

// icon.svg 891e43afe4015da5951cd8d3ad2a211b220d7b6679ead88d4ec9e120d64ed38f
static const unsigned char bytes_288[] = {
#embed "../../../Web/icon.svg"
};

// index.html 53e99ebb44347ce51ff2a11b4973e5fe8a9ad16f477703d83d68cbf3069d3c8a
static const unsigned char bytes_289[] = {
#embed "../../../Web/generated/index.html"
};

// manifest.webmanifest 0991a726c6ac0d8e1596fc340de314c5357129008ee95fb2fcfe50c8751d107d
static const unsigned char bytes_290[] = {
#embed "../../../Web/manifest.webmanifest"
};

// service-worker.js 65e4c44116cb81b2d399bd3a053bf6b0227cef026a3d56d9a3c64d723e63512b
static const unsigned char bytes_291[] = {
#embed "../../../Web/generated/service-worker.js"
};

static const yonder_web_file web_files[] = {
    {"app/chats/activity.js", "text/javascript; charset=utf-8", "b20aca89b47e815f", YONDER_WEB_ASSET,
     bytes_0, sizeof bytes_0, 0, 0},
    {"app/chats/answers.js", "text/javascript; charset=utf-8", "d00e47fcb16fdc69", YONDER_WEB_ASSET,
     bytes_1, sizeof bytes_1, 0, 0},
    {"app/chats/change-dialogs.js", "text/javascript; charset=utf-8", "e9b7c38b7c7eea32", YONDER_WEB_ASSET,
     bytes_2, sizeof bytes_2, 0, 0},
    {"app/chats/chat-list-view.js", "text/javascript; charset=utf-8", "581195437fbda6f8", YONDER_WEB_ASSET,
     bytes_3, sizeof bytes_3, 0, 0},
    {"app/chats/chat-list.js", "text/javascript; charset=utf-8", "4229770959184cfc", YONDER_WEB_ASSET,
     bytes_4, sizeof bytes_4, 0, 0},
    {"app/chats/chat-name.js", "text/javascript; charset=utf-8", "ab32d319a0e12608", YONDER_WEB_ASSET,
     bytes_5, sizeof bytes_5, 0, 0},
    {"app/chats/chat-title.js", "text/javascript; charset=utf-8", "ece2dcd82bcd482a", YONDER_WEB_ASSET,
     bytes_6, sizeof bytes_6, 0, 0},
    {"app/chats/chat-view.js", "text/javascript; charset=utf-8", "8134c13e8d5b1b92", YONDER_WEB_ASSET,
     bytes_7, sizeof bytes_7, 0, 0},
    {"app/chats/chats.js", "text/javascript; charset=utf-8", "be84018f51f2bda5", YONDER_WEB_ASSET,
     bytes_8, sizeof bytes_8, 0, 0},
    {"app/chats/live-chat.js", "text/javascript; charset=utf-8", "1794950567cf0933", YONDER_WEB_ASSET,
     bytes_9, sizeof bytes_9, 0, 0},
    {"app/chats/members-dialog.js", "text/javascript; charset=utf-8", "c83adf6a727bbfc0", YONDER_WEB_ASSET,
     bytes_10, sizeof bytes_10, 0, 0},
    {"app/chats/people-order.js", "text/javascript; charset=utf-8", "ec1285956f094d39", YONDER_WEB_ASSET,
     bytes_11, sizeof bytes_11, 0, 0},
    {"app/chats/people-section.js", "text/javascript; charset=utf-8", "3d4e464021fcdfab", YONDER_WEB_ASSET,
     bytes_12, sizeof bytes_12, 0, 0},
    {"app/chats/people-seen.js", "text/javascript; charset=utf-8", "4ac4212393450ce3", YONDER_WEB_ASSET,
     bytes_13, sizeof bytes_13, 0, 0},
    {"app/chats/person-actions.js", "text/javascript; charset=utf-8", "6e3c7e4fd0b8dd70", YONDER_WEB_ASSET,
     bytes_14, sizeof bytes_14, 0, 0},
    {"app/chats/person-card.js", "text/javascript; charset=utf-8", "b4c63ba3452c731a", YONDER_WEB_ASSET,
     bytes_15, sizeof bytes_15, 0, 0},
    {"app/chats/position-keeping.js", "text/javascript; charset=utf-8", "d4089032bebf32d3", YONDER_WEB_ASSET,
     bytes_16, sizeof bytes_16, 0, 0},
    {"app/chats/presence.js", "text/javascript; charset=utf-8", "039eafe8015df5a0", YONDER_WEB_ASSET,
     bytes_17, sizeof bytes_17, 0, 0},
    {"app/chats/sharing-now.js", "text/javascript; charset=utf-8", "d3af76d3f9bd0654", YONDER_WEB_ASSET,
     bytes_18, sizeof bytes_18, 0, 0},
    {"app/chats/start-chat-view.js", "text/javascript; charset=utf-8", "8282a4aa996b079f", YONDER_WEB_ASSET,
     bytes_19, sizeof bytes_19, 0, 0},
    {"app/chats/unread-badge.js", "text/javascript; charset=utf-8", "eede83e46b93269a", YONDER_WEB_ASSET,
     bytes_20, sizeof bytes_20, 0, 0},
    {"app/contacts/blocked-section.js", "text/javascript; charset=utf-8", "8a1c1c70cffc5db8", YONDER_WEB_ASSET,
     bytes_21, sizeof bytes_21, 0, 0},
    {"app/contacts/contact-list.js", "text/javascript; charset=utf-8", "9bda9c5fd96043e2", YONDER_WEB_ASSET,
     bytes_22, sizeof bytes_22, 0, 0},
    {"app/contacts/contact-picker.js", "text/javascript; charset=utf-8", "66baa47f69193ee5", YONDER_WEB_ASSET,
     bytes_23, sizeof bytes_23, 0, 0},
    {"app/contacts/contacts-view.js", "text/javascript; charset=utf-8", "78fee6a098eebbf7", YONDER_WEB_ASSET,
     bytes_24, sizeof bytes_24, 0, 0},
    {"app/contacts/contacts.js", "text/javascript; charset=utf-8", "17dd32333c26f71f", YONDER_WEB_ASSET,
     bytes_25, sizeof bytes_25, 0, 0},
    {"app/contacts/invitation-dialog.js", "text/javascript; charset=utf-8", "3aa2fd4384401c4e", YONDER_WEB_ASSET,
     bytes_26, sizeof bytes_26, 0, 0},
    {"app/contacts/left-groups-section.js", "text/javascript; charset=utf-8", "d4adb1db6536e6bd", YONDER_WEB_ASSET,
     bytes_27, sizeof bytes_27, 0, 0},
    {"app/contacts/name-search.js", "text/javascript; charset=utf-8", "9aeed1696077500c", YONDER_WEB_ASSET,
     bytes_28, sizeof bytes_28, 0, 0},
    {"app/contacts/people-actions.js", "text/javascript; charset=utf-8", "cd124fe13385686a", YONDER_WEB_ASSET,
     bytes_29, sizeof bytes_29, 0, 0},
    {"app/contacts/shared-groups.js", "text/javascript; charset=utf-8", "91763d5b08e35ddb", YONDER_WEB_ASSET,
     bytes_30, sizeof bytes_30, 0, 0},
    {"app/freshness/age.js", "text/javascript; charset=utf-8", "849ad2a23fc5ad3b", YONDER_WEB_ASSET,
     bytes_31, sizeof bytes_31, 0, 0},
    {"app/freshness/freshness.js", "text/javascript; charset=utf-8", "12d942bb2d7eb38c", YONDER_WEB_ASSET,
     bytes_32, sizeof bytes_32, 0, 0},
    {"app/freshness/heard-text.js", "text/javascript; charset=utf-8", "9baa4e3d0d0c436a", YONDER_WEB_ASSET,
     bytes_33, sizeof bytes_33, 0, 0},
    {"app/freshness/person-now.js", "text/javascript; charset=utf-8", "b64a8929e77deb8e", YONDER_WEB_ASSET,
     bytes_34, sizeof bytes_34, 0, 0},
    {"app/freshness/person-text.js", "text/javascript; charset=utf-8", "37ff6f8d4fb2b1bf", YONDER_WEB_ASSET,
     bytes_35, sizeof bytes_35, 0, 0},
    {"app/freshness/share-book.js", "text/javascript; charset=utf-8", "240ec16b931478bf", YONDER_WEB_ASSET,
     bytes_36, sizeof bytes_36, 0, 0},
    {"app/freshness/standing.js", "text/javascript; charset=utf-8", "004151da88de35c4", YONDER_WEB_ASSET,
     bytes_37, sizeof bytes_37, 0, 0},
    {"app/freshness/unplaced-text.js", "text/javascript; charset=utf-8", "bf81feeb4061c609", YONDER_WEB_ASSET,
     bytes_38, sizeof bytes_38, 0, 0},
    {"app/freshness/watcher.js", "text/javascript; charset=utf-8", "fef5504d95c07354", YONDER_WEB_ASSET,
     bytes_39, sizeof bytes_39, 0, 0},
    {"app/history/day-annotations.js", "text/javascript; charset=utf-8", "155ba73f7c065bde", YONDER_WEB_ASSET,
     bytes_40, sizeof bytes_40, 0, 0},
    {"app/history/day-slider.js", "text/javascript; charset=utf-8", "db09d2f847ea76d5", YONDER_WEB_ASSET,
     bytes_41, sizeof bytes_41, 0, 0},
    {"app/history/day-track.js", "text/javascript; charset=utf-8", "68745c84d45ae6e2", YONDER_WEB_ASSET,
     bytes_42, sizeof bytes_42, 0, 0},
    {"app/history/day.js", "text/javascript; charset=utf-8", "09e599fdbceff81f", YONDER_WEB_ASSET,
     bytes_43, sizeof bytes_43, 0, 0},
    {"app/history/history-view.js", "text/javascript; charset=utf-8", "968ab7288bf460f3", YONDER_WEB_ASSET,
     bytes_44, sizeof bytes_44, 0, 0},
    {"app/images/image-upload.js", "text/javascript; charset=utf-8", "34fd0187975cbef1", YONDER_WEB_ASSET,
     bytes_45, sizeof bytes_45, 0, 0},
    {"app/images/jpeg-orientation.js", "text/javascript; charset=utf-8", "4b07f0dbd63db7f2", YONDER_WEB_ASSET,
     bytes_46, sizeof bytes_46, 0, 0},
    {"app/invitations/invitation-view.js", "text/javascript; charset=utf-8", "d7cd5e56fe1300df", YONDER_WEB_ASSET,
     bytes_47, sizeof bytes_47, 0, 0},
    {"app/invitations/pending-invitation.js", "text/javascript; charset=utf-8", "5377404f62557918", YONDER_WEB_ASSET,
     bytes_48, sizeof bytes_48, 0, 0},
    {"app/invitations/qr-code.js", "text/javascript; charset=utf-8", "78e1fe68579aa8fd", YONDER_WEB_ASSET,
     bytes_49, sizeof bytes_49, 0, 0},
    {"app/invitations/qr-picture.js", "text/javascript; charset=utf-8", "51b500a3eae19a28", YONDER_WEB_ASSET,
     bytes_50, sizeof bytes_50, 0, 0},
    {"app/main.js", "text/javascript; charset=utf-8", "d75ca86f8e558ed2", YONDER_WEB_ASSET,
     bytes_51, sizeof bytes_51, 0, 0},
    {"app/map/annotations.js", "text/javascript; charset=utf-8", "7ef7fa0cf80ebb92", YONDER_WEB_ASSET,
     bytes_52, sizeof bytes_52, 0, 0},
    {"app/map/base-map.js", "text/javascript; charset=utf-8", "f025f2474e18af11", YONDER_WEB_ASSET,
     bytes_53, sizeof bytes_53, 0, 0},
    {"app/map/callout.js", "text/javascript; charset=utf-8", "584ce6444a16e58a", YONDER_WEB_ASSET,
     bytes_54, sizeof bytes_54, 0, 0},
    {"app/map/callouts.js", "text/javascript; charset=utf-8", "7acd78c38634559f", YONDER_WEB_ASSET,
     bytes_55, sizeof bytes_55, 0, 0},
    {"app/map/camera.js", "text/javascript; charset=utf-8", "39608651ab4e0774", YONDER_WEB_ASSET,
     bytes_56, sizeof bytes_56, 0, 0},
    {"app/map/cluster-image.js", "text/javascript; charset=utf-8", "1535d1ce759024c0", YONDER_WEB_ASSET,
     bytes_57, sizeof bytes_57, 0, 0},
    {"app/map/crowd.js", "text/javascript; charset=utf-8", "175ff2aa3f7bfd26", YONDER_WEB_ASSET,
     bytes_58, sizeof bytes_58, 0, 0},
    {"app/map/directions.js", "text/javascript; charset=utf-8", "626b76051dd4b87f", YONDER_WEB_ASSET,
     bytes_59, sizeof bytes_59, 0, 0},
    {"app/map/extent.js", "text/javascript; charset=utf-8", "6b3930776911bf29", YONDER_WEB_ASSET,
     bytes_60, sizeof bytes_60, 0, 0},
    {"app/map/features.js", "text/javascript; charset=utf-8", "595556a71b9ef690", YONDER_WEB_ASSET,
     bytes_61, sizeof bytes_61, 0, 0},
    {"app/map/first-picture.js", "text/javascript; charset=utf-8", "d5a52fe3ba8909e6", YONDER_WEB_ASSET,
     bytes_62, sizeof bytes_62, 0, 0},
    {"app/map/keyed-changes.js", "text/javascript; charset=utf-8", "b7f4d4b998c678a7", YONDER_WEB_ASSET,
     bytes_63, sizeof bytes_63, 0, 0},
    {"app/map/keyed-source.js", "text/javascript; charset=utf-8", "a0028f332a5c2d79", YONDER_WEB_ASSET,
     bytes_64, sizeof bytes_64, 0, 0},
    {"app/map/labels.js", "text/javascript; charset=utf-8", "fe0fcabef079a832", YONDER_WEB_ASSET,
     bytes_65, sizeof bytes_65, 0, 0},
    {"app/map/late-map.js", "text/javascript; charset=utf-8", "3eb4f878f0dc78c4", YONDER_WEB_ASSET,
     bytes_66, sizeof bytes_66, 0, 0},
    {"app/map/layers.js", "text/javascript; charset=utf-8", "ee96d726b0d849f8", YONDER_WEB_ASSET,
     bytes_67, sizeof bytes_67, 0, 0},
    {"app/map/library.js", "text/javascript; charset=utf-8", "f02ed0fab5423129", YONDER_WEB_ASSET,
     bytes_68, sizeof bytes_68, 0, 0},
    {"app/map/map-buttons.js", "text/javascript; charset=utf-8", "1e94a44558dce4ea", YONDER_WEB_ASSET,
     bytes_69, sizeof bytes_69, 0, 0},
    {"app/map/map-note.js", "text/javascript; charset=utf-8", "7f6d2dfe4294c591", YONDER_WEB_ASSET,
     bytes_70, sizeof bytes_70, 0, 0},
    {"app/map/map.js", "text/javascript; charset=utf-8", "da8094e07c7fcd4b", YONDER_WEB_ASSET,
     bytes_71, sizeof bytes_71, 0, 0},
    {"app/map/maplibre-map.js", "text/javascript; charset=utf-8", "7657f9f04e23fd07", YONDER_WEB_ASSET,
     bytes_72, sizeof bytes_72, 0, 0},
    {"app/map/opening.js", "text/javascript; charset=utf-8", "baeebd73f8c828fb", YONDER_WEB_ASSET,
     bytes_73, sizeof bytes_73, 0, 0},
    {"app/map/own-dot.js", "text/javascript; charset=utf-8", "d1fbe073e86992bb", YONDER_WEB_ASSET,
     bytes_74, sizeof bytes_74, 0, 0},
    {"app/map/people-layer.js", "text/javascript; charset=utf-8", "cb7da14d6af84a34", YONDER_WEB_ASSET,
     bytes_75, sizeof bytes_75, 0, 0},
    {"app/map/pin-image.js", "text/javascript; charset=utf-8", "ea27ecac94985556", YONDER_WEB_ASSET,
     bytes_76, sizeof bytes_76, 0, 0},
    {"app/map/place-image.js", "text/javascript; charset=utf-8", "f130e03c816364de", YONDER_WEB_ASSET,
     bytes_77, sizeof bytes_77, 0, 0},
    {"app/map/place-text.js", "text/javascript; charset=utf-8", "e44a1695b1da9318", YONDER_WEB_ASSET,
     bytes_78, sizeof bytes_78, 0, 0},
    {"app/map/recent-lines.js", "text/javascript; charset=utf-8", "58cc6cc3a369f029", YONDER_WEB_ASSET,
     bytes_79, sizeof bytes_79, 0, 0},
    {"app/map/ripples.js", "text/javascript; charset=utf-8", "dea175964546aeb1", YONDER_WEB_ASSET,
     bytes_80, sizeof bytes_80, 0, 0},
    {"app/map/scene.js", "text/javascript; charset=utf-8", "a5d63cb23c387a2b", YONDER_WEB_ASSET,
     bytes_81, sizeof bytes_81, 0, 0},
    {"app/map/shown.js", "text/javascript; charset=utf-8", "0833052a5835e72e", YONDER_WEB_ASSET,
     bytes_82, sizeof bytes_82, 0, 0},
    {"app/map/split-source.js", "text/javascript; charset=utf-8", "f9f6a73d8293f3fa", YONDER_WEB_ASSET,
     bytes_83, sizeof bytes_83, 0, 0},
    {"app/map/text-map.js", "text/javascript; charset=utf-8", "8ddd679915faf607", YONDER_WEB_ASSET,
     bytes_84, sizeof bytes_84, 0, 0},
    {"app/messages/composer.js", "text/javascript; charset=utf-8", "7f77fb10f5b95b8d", YONDER_WEB_ASSET,
     bytes_85, sizeof bytes_85, 0, 0},
    {"app/messages/drafts.js", "text/javascript; charset=utf-8", "c1887cfae9eeaa97", YONDER_WEB_ASSET,
     bytes_86, sizeof bytes_86, 0, 0},
    {"app/messages/emptying.js", "text/javascript; charset=utf-8", "b9d6b49a2a101503", YONDER_WEB_ASSET,
     bytes_87, sizeof bytes_87, 0, 0},
    {"app/messages/linked-text.js", "text/javascript; charset=utf-8", "96446ce7552a126a", YONDER_WEB_ASSET,
     bytes_88, sizeof bytes_88, 0, 0},
    {"app/messages/live-messages.js", "text/javascript; charset=utf-8", "a48dd57d0ebde6b3", YONDER_WEB_ASSET,
     bytes_89, sizeof bytes_89, 0, 0},
    {"app/messages/log-scroll.js", "text/javascript; charset=utf-8", "58dda8a8b56803fe", YONDER_WEB_ASSET,
     bytes_90, sizeof bytes_90, 0, 0},
    {"app/messages/message-bubble.js", "text/javascript; charset=utf-8", "ea0e4f7e2bb8b952", YONDER_WEB_ASSET,
     bytes_91, sizeof bytes_91, 0, 0},
    {"app/messages/message-log.js", "text/javascript; charset=utf-8", "546e8131085c8c21", YONDER_WEB_ASSET,
     bytes_92, sizeof bytes_92, 0, 0},
    {"app/messages/message-rows.js", "text/javascript; charset=utf-8", "90ff4f0ef37e4c86", YONDER_WEB_ASSET,
     bytes_93, sizeof bytes_93, 0, 0},
    {"app/messages/messages-beside.js", "text/javascript; charset=utf-8", "fcb17ba3b139142e", YONDER_WEB_ASSET,
     bytes_94, sizeof bytes_94, 0, 0},
    {"app/messages/messages-section.js", "text/javascript; charset=utf-8", "69f1ae6f9d5f8ecc", YONDER_WEB_ASSET,
     bytes_95, sizeof bytes_95, 0, 0},
    {"app/messages/note-text.js", "text/javascript; charset=utf-8", "a4815933ce92ff06", YONDER_WEB_ASSET,
     bytes_96, sizeof bytes_96, 0, 0},
    {"app/messages/notifications-section.js", "text/javascript; charset=utf-8", "93e8f7807c1e25d9", YONDER_WEB_ASSET,
     bytes_97, sizeof bytes_97, 0, 0},
    {"app/messages/notifications.js", "text/javascript; charset=utf-8", "4e83f7208b40c15f", YONDER_WEB_ASSET,
     bytes_98, sizeof bytes_98, 0, 0},
    {"app/messages/preview-text.js", "text/javascript; charset=utf-8", "669200a7b2e14595", YONDER_WEB_ASSET,
     bytes_99, sizeof bytes_99, 0, 0},
    {"app/messages/reach.js", "text/javascript; charset=utf-8", "27e309ab9d664ce4", YONDER_WEB_ASSET,
     bytes_100, sizeof bytes_100, 0, 0},
    {"app/messages/readers.js", "text/javascript; charset=utf-8", "541f255b48232a50", YONDER_WEB_ASSET,
     bytes_101, sizeof bytes_101, 0, 0},
    {"app/messages/reading-place.js", "text/javascript; charset=utf-8", "705288c6f5c101b1", YONDER_WEB_ASSET,
     bytes_102, sizeof bytes_102, 0, 0},
    {"app/messages/told.js", "text/javascript; charset=utf-8", "8b2940f2a6fe5902", YONDER_WEB_ASSET,
     bytes_103, sizeof bytes_103, 0, 0},
    {"app/messages/written-here.js", "text/javascript; charset=utf-8", "4fac350c2b18a85a", YONDER_WEB_ASSET,
     bytes_104, sizeof bytes_104, 0, 0},
    {"app/page/clock.js", "text/javascript; charset=utf-8", "75bdabad0c6cb754", YONDER_WEB_ASSET,
     bytes_105, sizeof bytes_105, 0, 0},
    {"app/page/controls.js", "text/javascript; charset=utf-8", "1a81733d1441bb6f", YONDER_WEB_ASSET,
     bytes_106, sizeof bytes_106, 0, 0},
    {"app/page/decoded.js", "text/javascript; charset=utf-8", "afd164ba8cb767b2", YONDER_WEB_ASSET,
     bytes_107, sizeof bytes_107, 0, 0},
    {"app/page/dom.js", "text/javascript; charset=utf-8", "9b77e6077faeee37", YONDER_WEB_ASSET,
     bytes_108, sizeof bytes_108, 0, 0},
    {"app/page/follow-person.js", "text/javascript; charset=utf-8", "4bda75da4bdbfaf8", YONDER_WEB_ASSET,
     bytes_109, sizeof bytes_109, 0, 0},
    {"app/page/icons.js", "text/javascript; charset=utf-8", "c3d8d364b2d3e200", YONDER_WEB_ASSET,
     bytes_110, sizeof bytes_110, 0, 0},
    {"app/page/loading-text.js", "text/javascript; charset=utf-8", "a1f471becb285cc4", YONDER_WEB_ASSET,
     bytes_111, sizeof bytes_111, 0, 0},
    {"app/page/notice.js", "text/javascript; charset=utf-8", "e0f9e7d918caa2e3", YONDER_WEB_ASSET,
     bytes_112, sizeof bytes_112, 0, 0},
    {"app/page/numbers.js", "text/javascript; charset=utf-8", "ea107ef903ae74d4", YONDER_WEB_ASSET,
     bytes_113, sizeof bytes_113, 0, 0},
    {"app/page/observable.js", "text/javascript; charset=utf-8", "a39287d4cf497b61", YONDER_WEB_ASSET,
     bytes_114, sizeof bytes_114, 0, 0},
    {"app/page/page.js", "text/javascript; charset=utf-8", "aa0018b8d7de64ba", YONDER_WEB_ASSET,
     bytes_115, sizeof bytes_115, 0, 0},
    {"app/page/panel.js", "text/javascript; charset=utf-8", "83df2f778dd495b0", YONDER_WEB_ASSET,
     bytes_116, sizeof bytes_116, 0, 0},
    {"app/page/router.js", "text/javascript; charset=utf-8", "fb0c34679e4c5071", YONDER_WEB_ASSET,
     bytes_117, sizeof bytes_117, 0, 0},
    {"app/page/scope.js", "text/javascript; charset=utf-8", "231f1b476424434a", YONDER_WEB_ASSET,
     bytes_118, sizeof bytes_118, 0, 0},
    {"app/page/sheet.js", "text/javascript; charset=utf-8", "ec9610c8857eafe4", YONDER_WEB_ASSET,
     bytes_119, sizeof bytes_119, 0, 0},
    {"app/page/throttle.js", "text/javascript; charset=utf-8", "eef611586c97eead", YONDER_WEB_ASSET,
     bytes_120, sizeof bytes_120, 0, 0},
    {"app/page/title.js", "text/javascript; charset=utf-8", "58f846286f7b8ac2", YONDER_WEB_ASSET,
     bytes_121, sizeof bytes_121, 0, 0},
    {"app/page/toasts.js", "text/javascript; charset=utf-8", "d349812a51d1b6dc", YONDER_WEB_ASSET,
     bytes_122, sizeof bytes_122, 0, 0},
    {"app/people/avatar.js", "text/javascript; charset=utf-8", "6b8489f2ffb3f749", YONDER_WEB_ASSET,
     bytes_123, sizeof bytes_123, 0, 0},
    {"app/people/color.js", "text/javascript; charset=utf-8", "791cfdae327b2b3e", YONDER_WEB_ASSET,
     bytes_124, sizeof bytes_124, 0, 0},
    {"app/people/deuteranopia.js", "text/javascript; charset=utf-8", "4bf6919603cc7bb5", YONDER_WEB_ASSET,
     bytes_125, sizeof bytes_125, 0, 0},
    {"app/people/face.js", "text/javascript; charset=utf-8", "e3f13425a391cec9", YONDER_WEB_ASSET,
     bytes_126, sizeof bytes_126, 0, 0},
    {"app/people/initials.js", "text/javascript; charset=utf-8", "a61cd616c1e5b3d6", YONDER_WEB_ASSET,
     bytes_127, sizeof bytes_127, 0, 0},
    {"app/people/own-hue.js", "text/javascript; charset=utf-8", "5148bb1581a188f3", YONDER_WEB_ASSET,
     bytes_128, sizeof bytes_128, 0, 0},
    {"app/people/photos.js", "text/javascript; charset=utf-8", "1503251548203788", YONDER_WEB_ASSET,
     bytes_129, sizeof bytes_129, 0, 0},
    {"app/people/times.js", "text/javascript; charset=utf-8", "e3e542557162d1ce", YONDER_WEB_ASSET,
     bytes_130, sizeof bytes_130, 0, 0},
    {"app/places/choice.js", "text/javascript; charset=utf-8", "ee36e0efab56abee", YONDER_WEB_ASSET,
     bytes_131, sizeof bytes_131, 0, 0},
    {"app/places/count-text.js", "text/javascript; charset=utf-8", "72bf2dbd420bfe5c", YONDER_WEB_ASSET,
     bytes_132, sizeof bytes_132, 0, 0},
    {"app/places/fetched-region.js", "text/javascript; charset=utf-8", "1c9020638eca9e35", YONDER_WEB_ASSET,
     bytes_133, sizeof bytes_133, 0, 0},
    {"app/places/field-value.js", "text/javascript; charset=utf-8", "00d4ef7df7ace61a", YONDER_WEB_ASSET,
     bytes_134, sizeof bytes_134, 0, 0},
    {"app/places/object-view.js", "text/javascript; charset=utf-8", "faccf4f9984e6635", YONDER_WEB_ASSET,
     bytes_135, sizeof bytes_135, 0, 0},
    {"app/places/object-watch.js", "text/javascript; charset=utf-8", "4336e78432b3beaa", YONDER_WEB_ASSET,
     bytes_136, sizeof bytes_136, 0, 0},
    {"app/places/place-callout.js", "text/javascript; charset=utf-8", "0e407560653d146c", YONDER_WEB_ASSET,
     bytes_137, sizeof bytes_137, 0, 0},
    {"app/places/place-layer.js", "text/javascript; charset=utf-8", "5273c516d99f70c4", YONDER_WEB_ASSET,
     bytes_138, sizeof bytes_138, 0, 0},
    {"app/places/place-names.js", "text/javascript; charset=utf-8", "f52f25ab8adf252b", YONDER_WEB_ASSET,
     bytes_139, sizeof bytes_139, 0, 0},
    {"app/places/place-tile.js", "text/javascript; charset=utf-8", "df649d1cfffa7020", YONDER_WEB_ASSET,
     bytes_140, sizeof bytes_140, 0, 0},
    {"app/places/place.js", "text/javascript; charset=utf-8", "cf97ddcb93b352f9", YONDER_WEB_ASSET,
     bytes_141, sizeof bytes_141, 0, 0},
    {"app/places/places-count.js", "text/javascript; charset=utf-8", "201d17ca410b7aac", YONDER_WEB_ASSET,
     bytes_142, sizeof bytes_142, 0, 0},
    {"app/places/places-view.js", "text/javascript; charset=utf-8", "773797a034501e09", YONDER_WEB_ASSET,
     bytes_143, sizeof bytes_143, 0, 0},
    {"app/places/places.js", "text/javascript; charset=utf-8", "a08c563f267d829c", YONDER_WEB_ASSET,
     bytes_144, sizeof bytes_144, 0, 0},
    {"app/places/quiet-announcer.js", "text/javascript; charset=utf-8", "cadf183a3def0756", YONDER_WEB_ASSET,
     bytes_145, sizeof bytes_145, 0, 0},
    {"app/positions/all-positions.js", "text/javascript; charset=utf-8", "8c26440791d8fefe", YONDER_WEB_ASSET,
     bytes_146, sizeof bytes_146, 0, 0},
    {"app/positions/bounds.js", "text/javascript; charset=utf-8", "ee01ef7ba7f2cac9", YONDER_WEB_ASSET,
     bytes_147, sizeof bytes_147, 0, 0},
    {"app/positions/drawn-positions.js", "text/javascript; charset=utf-8", "332bcaab457ec7c3", YONDER_WEB_ASSET,
     bytes_148, sizeof bytes_148, 0, 0},
    {"app/positions/overview.js", "text/javascript; charset=utf-8", "994a0d205a87a71f", YONDER_WEB_ASSET,
     bytes_149, sizeof bytes_149, 0, 0},
    {"app/positions/picture.js", "text/javascript; charset=utf-8", "2c2a89818f575fdd", YONDER_WEB_ASSET,
     bytes_150, sizeof bytes_150, 0, 0},
    {"app/positions/position-columns.js", "text/javascript; charset=utf-8", "2e2f27861bf3364e", YONDER_WEB_ASSET,
     bytes_151, sizeof bytes_151, 0, 0},
    {"app/positions/reach-section.js", "text/javascript; charset=utf-8", "5d47991b602f8fd1", YONDER_WEB_ASSET,
     bytes_152, sizeof bytes_152, 0, 0},
    {"app/positions/stretch.js", "text/javascript; charset=utf-8", "9a52abdbb1121f1c", YONDER_WEB_ASSET,
     bytes_153, sizeof bytes_153, 0, 0},
    {"app/region/live-region.js", "text/javascript; charset=utf-8", "af1c39db4ea256a3", YONDER_WEB_ASSET,
     bytes_154, sizeof bytes_154, 0, 0},
    {"app/region/object-annotations.js", "text/javascript; charset=utf-8", "647d50334008e932", YONDER_WEB_ASSET,
     bytes_155, sizeof bytes_155, 0, 0},
    {"app/region/region-cache.js", "text/javascript; charset=utf-8", "45b107fd0a61eba8", YONDER_WEB_ASSET,
     bytes_156, sizeof bytes_156, 0, 0},
    {"app/region/region-kinds.js", "text/javascript; charset=utf-8", "ddceceaeda9208e8", YONDER_WEB_ASSET,
     bytes_157, sizeof bytes_157, 0, 0},
    {"app/region/region-list.js", "text/javascript; charset=utf-8", "9055bbb44682030a", YONDER_WEB_ASSET,
     bytes_158, sizeof bytes_158, 0, 0},
    {"app/region/region-query.js", "text/javascript; charset=utf-8", "e4d947afa3baa3c8", YONDER_WEB_ASSET,
     bytes_159, sizeof bytes_159, 0, 0},
    {"app/region/region-view.js", "text/javascript; charset=utf-8", "cdc3783cfed4e9fa", YONDER_WEB_ASSET,
     bytes_160, sizeof bytes_160, 0, 0},
    {"app/region/region.js", "text/javascript; charset=utf-8", "2317823092c307c9", YONDER_WEB_ASSET,
     bytes_161, sizeof bytes_161, 0, 0},
    {"app/rest/rest.js", "text/javascript; charset=utf-8", "3b2c2e4faa2f92c9", YONDER_WEB_ASSET,
     bytes_162, sizeof bytes_162, 0, 0},
    {"app/session/account-view.js", "text/javascript; charset=utf-8", "33990ec1aedcfca8", YONDER_WEB_ASSET,
     bytes_163, sizeof bytes_163, 0, 0},
    {"app/session/account.js", "text/javascript; charset=utf-8", "190057036272fc94", YONDER_WEB_ASSET,
     bytes_164, sizeof bytes_164, 0, 0},
    {"app/session/color-section.js", "text/javascript; charset=utf-8", "8b46368998a89cd4", YONDER_WEB_ASSET,
     bytes_165, sizeof bytes_165, 0, 0},
    {"app/session/departed-view.js", "text/javascript; charset=utf-8", "d834f262bcc7f54c", YONDER_WEB_ASSET,
     bytes_166, sizeof bytes_166, 0, 0},
    {"app/session/departure.js", "text/javascript; charset=utf-8", "4f3195e22c70407a", YONDER_WEB_ASSET,
     bytes_167, sizeof bytes_167, 0, 0},
    {"app/session/language-section.js", "text/javascript; charset=utf-8", "5d9ae395c27fcbbc", YONDER_WEB_ASSET,
     bytes_168, sizeof bytes_168, 0, 0},
    {"app/session/link-question.js", "text/javascript; charset=utf-8", "acd770dd233fe945", YONDER_WEB_ASSET,
     bytes_169, sizeof bytes_169, 0, 0},
    {"app/session/person.js", "text/javascript; charset=utf-8", "f810406a2505edb0", YONDER_WEB_ASSET,
     bytes_170, sizeof bytes_170, 0, 0},
    {"app/session/picture-section.js", "text/javascript; charset=utf-8", "c989fc1fb33cb1af", YONDER_WEB_ASSET,
     bytes_171, sizeof bytes_171, 0, 0},
    {"app/session/sessions-section.js", "text/javascript; charset=utf-8", "2d7a41fbdb0b6c5f", YONDER_WEB_ASSET,
     bytes_172, sizeof bytes_172, 0, 0},
    {"app/session/sign-in-form.js", "text/javascript; charset=utf-8", "ee2a2ab23dbe229d", YONDER_WEB_ASSET,
     bytes_173, sizeof bytes_173, 0, 0},
    {"app/session/sign-out.js", "text/javascript; charset=utf-8", "519f57a7fc1f6b36", YONDER_WEB_ASSET,
     bytes_174, sizeof bytes_174, 0, 0},
    {"app/session/welcome-view.js", "text/javascript; charset=utf-8", "0f48acbba4df92c7", YONDER_WEB_ASSET,
     bytes_175, sizeof bytes_175, 0, 0},
    {"app/sharing/awaited-start.js", "text/javascript; charset=utf-8", "7f2fe621cbe58cee", YONDER_WEB_ASSET,
     bytes_176, sizeof bytes_176, 0, 0},
    {"app/sharing/fix.js", "text/javascript; charset=utf-8", "e462ba9acd98e0ec", YONDER_WEB_ASSET,
     bytes_177, sizeof bytes_177, 0, 0},
    {"app/sharing/follow-shares.js", "text/javascript; charset=utf-8", "5e64599e1a6bb687", YONDER_WEB_ASSET,
     bytes_178, sizeof bytes_178, 0, 0},
    {"app/sharing/outbox.js", "text/javascript; charset=utf-8", "a9662c67105132ac", YONDER_WEB_ASSET,
     bytes_179, sizeof bytes_179, 0, 0},
    {"app/sharing/own-place.js", "text/javascript; charset=utf-8", "0f1a88ae736c4d86", YONDER_WEB_ASSET,
     bytes_180, sizeof bytes_180, 0, 0},
    {"app/sharing/own-shares.js", "text/javascript; charset=utf-8", "526ef6ca68f3d4f5", YONDER_WEB_ASSET,
     bytes_181, sizeof bytes_181, 0, 0},
    {"app/sharing/own-standing.js", "text/javascript; charset=utf-8", "2f7cc21d3712eaa2", YONDER_WEB_ASSET,
     bytes_182, sizeof bytes_182, 0, 0},
    {"app/sharing/reported.js", "text/javascript; charset=utf-8", "6dfe833d4475f192", YONDER_WEB_ASSET,
     bytes_183, sizeof bytes_183, 0, 0},
    {"app/sharing/screen-lock.js", "text/javascript; charset=utf-8", "48eb0d3a27a0cfe1", YONDER_WEB_ASSET,
     bytes_184, sizeof bytes_184, 0, 0},
    {"app/sharing/seen-summary.js", "text/javascript; charset=utf-8", "04c504fcb3097c07", YONDER_WEB_ASSET,
     bytes_185, sizeof bytes_185, 0, 0},
    {"app/sharing/seen-view.js", "text/javascript; charset=utf-8", "427f83f204791b68", YONDER_WEB_ASSET,
     bytes_186, sizeof bytes_186, 0, 0},
    {"app/sharing/sender.js", "text/javascript; charset=utf-8", "bf0043d63de80dc4", YONDER_WEB_ASSET,
     bytes_187, sizeof bytes_187, 0, 0},
    {"app/sharing/share-actions.js", "text/javascript; charset=utf-8", "743f4f2678376501", YONDER_WEB_ASSET,
     bytes_188, sizeof bytes_188, 0, 0},
    {"app/sharing/share-bar.js", "text/javascript; charset=utf-8", "75f38c022df2dd0b", YONDER_WEB_ASSET,
     bytes_189, sizeof bytes_189, 0, 0},
    {"app/sharing/share-choice.js", "text/javascript; charset=utf-8", "86f707066f6faf5f", YONDER_WEB_ASSET,
     bytes_190, sizeof bytes_190, 0, 0},
    {"app/sharing/share-dialog.js", "text/javascript; charset=utf-8", "bbf8872757f54ae6", YONDER_WEB_ASSET,
     bytes_191, sizeof bytes_191, 0, 0},
    {"app/sharing/share-record.js", "text/javascript; charset=utf-8", "632fdafe814d09bc", YONDER_WEB_ASSET,
     bytes_192, sizeof bytes_192, 0, 0},
    {"app/sharing/share-records.js", "text/javascript; charset=utf-8", "42124039a8a03e54", YONDER_WEB_ASSET,
     bytes_193, sizeof bytes_193, 0, 0},
    {"app/sharing/share-toggle.js", "text/javascript; charset=utf-8", "1432069e7bfc8431", YONDER_WEB_ASSET,
     bytes_194, sizeof bytes_194, 0, 0},
    {"app/sharing/sharer.js", "text/javascript; charset=utf-8", "9c931d099b0ade08", YONDER_WEB_ASSET,
     bytes_195, sizeof bytes_195, 0, 0},
    {"app/sharing/sharing.js", "text/javascript; charset=utf-8", "9a334afe4627bc7d", YONDER_WEB_ASSET,
     bytes_196, sizeof bytes_196, 0, 0},
    {"app/sharing/silence.js", "text/javascript; charset=utf-8", "3b41c6295df7905f", YONDER_WEB_ASSET,
     bytes_197, sizeof bytes_197, 0, 0},
    {"app/sharing/spoken.js", "text/javascript; charset=utf-8", "4498b17653d2d7d6", YONDER_WEB_ASSET,
     bytes_198, sizeof bytes_198, 0, 0},
    {"app/sharing/starts.js", "text/javascript; charset=utf-8", "cfcf27e9ad2d4bd4", YONDER_WEB_ASSET,
     bytes_199, sizeof bytes_199, 0, 0},
    {"app/sharing/status-bar.js", "text/javascript; charset=utf-8", "81bc22db22e693fe", YONDER_WEB_ASSET,
     bytes_200, sizeof bytes_200, 0, 0},
    {"app/sharing/stops.js", "text/javascript; charset=utf-8", "a430584e67b12214", YONDER_WEB_ASSET,
     bytes_201, sizeof bytes_201, 0, 0},
    {"app/sharing/tabs.js", "text/javascript; charset=utf-8", "1706020ee7506c6f", YONDER_WEB_ASSET,
     bytes_202, sizeof bytes_202, 0, 0},
    {"app/sharing/who-sees.js", "text/javascript; charset=utf-8", "741ee9c5f1e82c8b", YONDER_WEB_ASSET,
     bytes_203, sizeof bytes_203, 0, 0},
    {"app/shell/shell.js", "text/javascript; charset=utf-8", "90a30c8a2326a925", YONDER_WEB_ASSET,
     bytes_204, sizeof bytes_204, 0, 0},
    {"app/storage/shelf.js", "text/javascript; charset=utf-8", "a77b07dafa69a8c5", YONDER_WEB_ASSET,
     bytes_205, sizeof bytes_205, 0, 0},
    {"app/storage/store.js", "text/javascript; charset=utf-8", "e5ef52cf38e0bc4f", YONDER_WEB_ASSET,
     bytes_206, sizeof bytes_206, 0, 0},
    {"app/stream/backoff.js", "text/javascript; charset=utf-8", "3d4679c4cf0d234f", YONDER_WEB_ASSET,
     bytes_207, sizeof bytes_207, 0, 0},
    {"app/stream/key.js", "text/javascript; charset=utf-8", "6c182d2a00c63651", YONDER_WEB_ASSET,
     bytes_208, sizeof bytes_208, 0, 0},
    {"app/stream/refusal.js", "text/javascript; charset=utf-8", "562be14650ceddc3", YONDER_WEB_ASSET,
     bytes_209, sizeof bytes_209, 0, 0},
    {"app/stream/requests.js", "text/javascript; charset=utf-8", "2e34052091aef0f0", YONDER_WEB_ASSET,
     bytes_210, sizeof bytes_210, 0, 0},
    {"app/stream/server-clock.js", "text/javascript; charset=utf-8", "bba85998a30b0957", YONDER_WEB_ASSET,
     bytes_211, sizeof bytes_211, 0, 0},
    {"app/stream/stream.js", "text/javascript; charset=utf-8", "8f49d516512de78d", YONDER_WEB_ASSET,
     bytes_212, sizeof bytes_212, 0, 0},
    {"app/stream/subscriptions.js", "text/javascript; charset=utf-8", "0acdaccaec89d085", YONDER_WEB_ASSET,
     bytes_213, sizeof bytes_213, 0, 0},
    {"app/words/english.js", "text/javascript; charset=utf-8", "2a28cba0f6d67e1d", YONDER_WEB_ASSET,
     bytes_214, sizeof bytes_214, 0, 0},
    {"app/words/german.js", "text/javascript; charset=utf-8", "6df971f0d56d0312", YONDER_WEB_ASSET,
     bytes_215, sizeof bytes_215, 0, 0},
    {"app/words/isolated.js", "text/javascript; charset=utf-8", "b4bfe53138c995ff", YONDER_WEB_ASSET,
     bytes_216, sizeof bytes_216, 0, 0},
    {"app/words/locale.js", "text/javascript; charset=utf-8", "403369b27a7f86ef", YONDER_WEB_ASSET,
     bytes_217, sizeof bytes_217, 0, 0},
    {"app/words/words.js", "text/javascript; charset=utf-8", "1e74de0eedeb9cda", YONDER_WEB_ASSET,
     bytes_218, sizeof bytes_218, 0, 0},
    {"app/world/live-world.js", "text/javascript; charset=utf-8", "63ef7ddddcd1fe2c", YONDER_WEB_ASSET,
     bytes_219, sizeof bytes_219, 0, 0},
    {"app/world/world-return.js", "text/javascript; charset=utf-8", "88c45b1fb532bb21", YONDER_WEB_ASSET,
     bytes_220, sizeof bytes_220, 0, 0},
    {"app/world/world-view.js", "text/javascript; charset=utf-8", "a64be9bdcb5699ce", YONDER_WEB_ASSET,
     bytes_221, sizeof bytes_221, 0, 0},
    {"app/world/world.js", "text/javascript; charset=utf-8", "f0a02ce92dba92b4", YONDER_WEB_ASSET,
     bytes_222, sizeof bytes_222, 0, 0},
    {"control/entities/deletion-dialog.js", "text/javascript; charset=utf-8", "67489be6f5cb8f41", YONDER_WEB_ASSET,
     bytes_223, sizeof bytes_223, 0, 0},
    {"control/entities/entities.js", "text/javascript; charset=utf-8", "4a3ba41f97b09edf", YONDER_WEB_ASSET,
     bytes_224, sizeof bytes_224, 0, 0},
    {"control/entities/entity-list-view.js", "text/javascript; charset=utf-8", "5898b7c6e8c2d72e", YONDER_WEB_ASSET,
     bytes_225, sizeof bytes_225, 0, 0},
    {"control/entities/field-editor.js", "text/javascript; charset=utf-8", "33487ce9871b747c", YONDER_WEB_ASSET,
     bytes_226, sizeof bytes_226, 0, 0},
    {"control/entities/schema-view.js", "text/javascript; charset=utf-8", "6824dc4f3389436f", YONDER_WEB_ASSET,
     bytes_227, sizeof bytes_227, 0, 0},
    {"control/entities/schema.js", "text/javascript; charset=utf-8", "17bb837f675654fc", YONDER_WEB_ASSET,
     bytes_228, sizeof bytes_228, 0, 0},
    {"control/location/candidate-list.js", "text/javascript; charset=utf-8", "3c574e0ba302f41b", YONDER_WEB_ASSET,
     bytes_229, sizeof bytes_229, 0, 0},
    {"control/location/geocoding.js", "text/javascript; charset=utf-8", "56227dfa13362c08", YONDER_WEB_ASSET,
     bytes_230, sizeof bytes_230, 0, 0},
    {"control/location/location-field.js", "text/javascript; charset=utf-8", "4b62932d861e0167", YONDER_WEB_ASSET,
     bytes_231, sizeof bytes_231, 0, 0},
    {"control/location/maplibre-place-map.js", "text/javascript; charset=utf-8", "4ee1fcdefac9282e", YONDER_WEB_ASSET,
     bytes_232, sizeof bytes_232, 0, 0},
    {"control/location/place-map.js", "text/javascript; charset=utf-8", "cab10fdf202afe69", YONDER_WEB_ASSET,
     bytes_233, sizeof bytes_233, 0, 0},
    {"control/main.js", "text/javascript; charset=utf-8", "a0edcf1d8cdfa37a", YONDER_WEB_ASSET,
     bytes_234, sizeof bytes_234, 0, 0},
    {"control/objects/cells.js", "text/javascript; charset=utf-8", "4424fd94cd4cfbb2", YONDER_WEB_ASSET,
     bytes_235, sizeof bytes_235, 0, 0},
    {"control/objects/condition-editor.js", "text/javascript; charset=utf-8", "62b85bc2ee5da7d8", YONDER_WEB_ASSET,
     bytes_236, sizeof bytes_236, 0, 0},
    {"control/objects/conditions.js", "text/javascript; charset=utf-8", "ccc98a0cba12ee75", YONDER_WEB_ASSET,
     bytes_237, sizeof bytes_237, 0, 0},
    {"control/objects/dates.js", "text/javascript; charset=utf-8", "39d54a5cf6914118", YONDER_WEB_ASSET,
     bytes_238, sizeof bytes_238, 0, 0},
    {"control/objects/field-control.js", "text/javascript; charset=utf-8", "01212f217d1cb481", YONDER_WEB_ASSET,
     bytes_239, sizeof bytes_239, 0, 0},
    {"control/objects/labels.js", "text/javascript; charset=utf-8", "2bd67dffc30fbb60", YONDER_WEB_ASSET,
     bytes_240, sizeof bytes_240, 0, 0},
    {"control/objects/object-view.js", "text/javascript; charset=utf-8", "f8ef934910309a40", YONDER_WEB_ASSET,
     bytes_241, sizeof bytes_241, 0, 0},
    {"control/objects/objects.js", "text/javascript; charset=utf-8", "a640c18f58be4706", YONDER_WEB_ASSET,
     bytes_242, sizeof bytes_242, 0, 0},
    {"control/objects/pages.js", "text/javascript; charset=utf-8", "868baa7b7cef1c2e", YONDER_WEB_ASSET,
     bytes_243, sizeof bytes_243, 0, 0},
    {"control/objects/raw-json.js", "text/javascript; charset=utf-8", "6cc2743f8707406f", YONDER_WEB_ASSET,
     bytes_244, sizeof bytes_244, 0, 0},
    {"control/objects/reference-field.js", "text/javascript; charset=utf-8", "f0de3878782c7dc6", YONDER_WEB_ASSET,
     bytes_245, sizeof bytes_245, 0, 0},
    {"control/objects/table-state.js", "text/javascript; charset=utf-8", "9e1f49185e8ac534", YONDER_WEB_ASSET,
     bytes_246, sizeof bytes_246, 0, 0},
    {"control/objects/table-view.js", "text/javascript; charset=utf-8", "03488fceab898a3a", YONDER_WEB_ASSET,
     bytes_247, sizeof bytes_247, 0, 0},
    {"control/objects/table.js", "text/javascript; charset=utf-8", "8b90ebdfed078c36", YONDER_WEB_ASSET,
     bytes_248, sizeof bytes_248, 0, 0},
    {"control/objects/values.js", "text/javascript; charset=utf-8", "cbd1f68ff40729ee", YONDER_WEB_ASSET,
     bytes_249, sizeof bytes_249, 0, 0},
    {"control/panel/asking.js", "text/javascript; charset=utf-8", "cc1df15bfd4e1d3a", YONDER_WEB_ASSET,
     bytes_250, sizeof bytes_250, 0, 0},
    {"control/panel/combobox.js", "text/javascript; charset=utf-8", "f11f1d61c817bf88", YONDER_WEB_ASSET,
     bytes_251, sizeof bytes_251, 0, 0},
    {"control/panel/control-panel.js", "text/javascript; charset=utf-8", "b38383e10d5e6e28", YONDER_WEB_ASSET,
     bytes_252, sizeof bytes_252, 0, 0},
    {"control/panel/headings.js", "text/javascript; charset=utf-8", "34339750bc3cc93a", YONDER_WEB_ASSET,
     bytes_253, sizeof bytes_253, 0, 0},
    {"control/panel/inputs.js", "text/javascript; charset=utf-8", "e877abc98ff0fc39", YONDER_WEB_ASSET,
     bytes_254, sizeof bytes_254, 0, 0},
    {"control/panel/query.js", "text/javascript; charset=utf-8", "1307064cf05cffd0", YONDER_WEB_ASSET,
     bytes_255, sizeof bytes_255, 0, 0},
    {"control/transfer/import-view.js", "text/javascript; charset=utf-8", "ff04ddcfc562ba49", YONDER_WEB_ASSET,
     bytes_256, sizeof bytes_256, 0, 0},
    {"control/transfer/mapping.js", "text/javascript; charset=utf-8", "768ff503c4568108", YONDER_WEB_ASSET,
     bytes_257, sizeof bytes_257, 0, 0},
    {"control/transfer/tables.js", "text/javascript; charset=utf-8", "805ec53cdd3deff1", YONDER_WEB_ASSET,
     bytes_258, sizeof bytes_258, 0, 0},
    {"control/transfer/upload.js", "text/javascript; charset=utf-8", "3f0482640acef8b2", YONDER_WEB_ASSET,
     bytes_259, sizeof bytes_259, 0, 0},
    {"licenses/maplibre-gl.txt", "text/plain; charset=utf-8", "af5553bf668a2512", YONDER_WEB_ASSET,
     bytes_260, sizeof bytes_260, 0, 0},
    {"map/colors.js", "text/javascript; charset=utf-8", "f9a35d41e9c0d8db", YONDER_WEB_ASSET,
     bytes_261, sizeof bytes_261, 0, 0},
    {"map/kinds.js", "text/javascript; charset=utf-8", "2acde435a5195cb2", YONDER_WEB_ASSET,
     bytes_262, sizeof bytes_262, 0, 0},
    {"map/lettering.js", "text/javascript; charset=utf-8", "20d79809f167b5e8", YONDER_WEB_ASSET,
     bytes_263, sizeof bytes_263, 0, 0},
    {"map/right-to-left.js", "text/javascript; charset=utf-8", "683a53858fcb6168", YONDER_WEB_ASSET,
     bytes_264, sizeof bytes_264, 0, 0},
    {"map/schemas.js", "text/javascript; charset=utf-8", "2c1153f454bbe2fc", YONDER_WEB_ASSET,
     bytes_265, sizeof bytes_265, 0, 0},
    {"map/style.js", "text/javascript; charset=utf-8", "eadda31b8df43d35", YONDER_WEB_ASSET,
     bytes_266, sizeof bytes_266, 0, 0},
    {"style/base.css", "text/css; charset=utf-8", "e45c3e389bbf356f", YONDER_WEB_ASSET,
     bytes_267, sizeof bytes_267, 0, 0},
    {"style/chats.css", "text/css; charset=utf-8", "b382dc7d357b3b62", YONDER_WEB_ASSET,
     bytes_268, sizeof bytes_268, 0, 0},
    {"style/control.css", "text/css; charset=utf-8", "ce05f22d13e040c7", YONDER_WEB_ASSET,
     bytes_269, sizeof bytes_269, 0, 0},
    {"style/controls.css", "text/css; charset=utf-8", "2954de2e7d0c5685", YONDER_WEB_ASSET,
     bytes_270, sizeof bytes_270, 0, 0},
    {"style/history.css", "text/css; charset=utf-8", "71e2abfad5448031", YONDER_WEB_ASSET,
     bytes_271, sizeof bytes_271, 0, 0},
    {"style/large-text.css", "text/css; charset=utf-8", "57f6ab55881b10c9", YONDER_WEB_ASSET,
     bytes_272, sizeof bytes_272, 0, 0},
    {"style/lists.css", "text/css; charset=utf-8", "974adc23b63cd130", YONDER_WEB_ASSET,
     bytes_273, sizeof bytes_273, 0, 0},
    {"style/map-note.css", "text/css; charset=utf-8", "9e3af8910ab42f32", YONDER_WEB_ASSET,
     bytes_274, sizeof bytes_274, 0, 0},
    {"style/map.css", "text/css; charset=utf-8", "49fe29af79951b28", YONDER_WEB_ASSET,
     bytes_275, sizeof bytes_275, 0, 0},
    {"style/page.css", "text/css; charset=utf-8", "aca5fc7912888b01", YONDER_WEB_ASSET,
     bytes_276, sizeof bytes_276, 0, 0},
    {"style/sharing.css", "text/css; charset=utf-8", "d07d2d8dfcb83f35", YONDER_WEB_ASSET,
     bytes_277, sizeof bytes_277, 0, 0},
    {"style/tokens.css", "text/css; charset=utf-8", "733836998cfdff7e", YONDER_WEB_ASSET,
     bytes_278, sizeof bytes_278, 0, 0},
#if defined(HAS_GZIPPED_279)
    {"vendor/maplibre-gl.css", "text/css; charset=utf-8", "ab1e70d59ec40465", YONDER_WEB_ASSET,
     bytes_279, sizeof bytes_279, gzipped_279, sizeof gzipped_279},
#elif defined(HAS_279)
    {"vendor/maplibre-gl.css", "text/css; charset=utf-8", "ab1e70d59ec40465", YONDER_WEB_ASSET,
     bytes_279, sizeof bytes_279, 0, 0},
#endif
#if defined(HAS_GZIPPED_280)
    {"vendor/maplibre-gl.js", "text/javascript; charset=utf-8", "45a9b07a9189ce56", YONDER_WEB_ASSET,
     bytes_280, sizeof bytes_280, gzipped_280, sizeof gzipped_280},
#elif defined(HAS_280)
    {"vendor/maplibre-gl.js", "text/javascript; charset=utf-8", "45a9b07a9189ce56", YONDER_WEB_ASSET,
     bytes_280, sizeof bytes_280, 0, 0},
#endif
    {"apple-touch-icon.png", "image/png", "9fb0b574e327feb3", YONDER_WEB_ENTRY,
     bytes_281, sizeof bytes_281, 0, 0},
    {"control.html", "text/html; charset=utf-8", "bdbdb5ef89576794", YONDER_WEB_ENTRY,
     bytes_282, sizeof bytes_282, 0, 0},
    {"icon-192.png", "image/png", "8e15d0b2b0c6b59c", YONDER_WEB_ENTRY,
     bytes_283, sizeof bytes_283, 0, 0},
    {"icon-512.png", "image/png", "97a8dc6faf63a732", YONDER_WEB_ENTRY,
     bytes_284, sizeof bytes_284, 0, 0},
    {"icon-maskable-512.png", "image/png", "dd7a26e184e98545", YONDER_WEB_ENTRY,
     bytes_285, sizeof bytes_285, 0, 0},
    {"icon-maskable.svg", "image/svg+xml", "c8b6d1e9b02e38e3", YONDER_WEB_ENTRY,
     bytes_286, sizeof bytes_286, 0, 0},
    {"icon-unread.svg", "image/svg+xml", "3ffe374d813fcbeb", YONDER_WEB_ENTRY,
     bytes_287, sizeof bytes_287, 0, 0},
    {"icon.svg", "image/svg+xml", "891e43afe4015da5", YONDER_WEB_ENTRY,
     bytes_288, sizeof bytes_288, 0, 0},
#ifdef HAS_BUNDLE
    {"bundle/page/main.js", "text/javascript; charset=utf-8", "bundle-8da9e251af86", YONDER_WEB_ASSET,
     bundled_main_js, sizeof bundled_main_js, gzipped_main_js, sizeof gzipped_main_js},
    {"bundle/page/page.css", "text/css; charset=utf-8", "bundle-8da9e251af86", YONDER_WEB_ASSET,
     bundled_page_css, sizeof bundled_page_css, gzipped_page_css, sizeof gzipped_page_css},
    {"index.html", "text/html; charset=utf-8", "bundle-8da9e251af86", YONDER_WEB_ENTRY,
     bundled_index_html, sizeof bundled_index_html, gzipped_index_html, sizeof gzipped_index_html},
#else
    {"index.html", "text/html; charset=utf-8", "53e99ebb44347ce5", YONDER_WEB_ENTRY,
     bytes_289, sizeof bytes_289, 0, 0},
#endif
    {"manifest.webmanifest", "application/manifest+json", "0991a726c6ac0d8e", YONDER_WEB_ENTRY,
     bytes_290, sizeof bytes_290, 0, 0},
    {"service-worker.js", "text/javascript; charset=utf-8", "65e4c44116cb81b2", YONDER_WEB_ENTRY,
     bytes_291, sizeof bytes_291, 0, 0},
};
