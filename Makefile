# Yonder: `make run` to see it, `make test` to check it, `make help` for the rest.
#
# run and test share one debug build.

PORT ?= 8080
ADDRESS ?= 127.0.0.1
DATA ?= .build-data/demo
ROUNDS ?= 20
ORDER_SEEDS ?= 1000
SDK_SEEDS ?= 200
TRUTH_ROUNDS ?= 20
PAGE_SEEDS ?= 200
MINUTES ?= 10
CLUSTER_ROUNDS ?= 1
COST_SECONDS ?= 60
# The program that a package or an image is made of; without one the release is built.
PROGRAM ?=
PACKAGE_FLAGS ?=
SUITE ?= Tests/Packages/AppleStandIns/ForeignSuite
PYTHON := .build-python/bin/python
PYTEST := $(PYTHON) -m pytest -q -p no:cacheprovider --color=no
BUILD := Scripts/build
# Where the release is built.
RELEASE_FOLDER ?= .build
# Further options of `swift build` for the release.
RELEASE_FLAGS ?=
# What the linker took, for `make sizes`.
LINKER_MAP := $(if $(filter Linux,$(shell uname)),-Xlinker -Map=$(abspath $(RELEASE_FOLDER))/yonder.map)
# Eight at a time: all 2 000 at once, each takes minutes, and the processors mostly change between them.
TESTS := .build/debug/yonderPackageTests.xctest --testing-library swift-testing --experimental-maximum-parallelization-width 8
STEP := @Scripts/step
TEST_PACKAGES := gcc libc6-dev strace gpsd gpsd-clients python3-gps postgresql nats-server haproxy caddy binutils docker-compose lintian man-db \
	runc systemd umoci
# Two steps at a time, as most wait for a condition half of their time. Each step's output is printed at its end. Its title is
# printed when it begins, through file descriptor 3, which make doesn't hold back.
IN_PAIRS := BEGINNING=3 $(MAKE) --no-print-directory --keep-going --jobs 2 --output-sync=target
# The longest first. In ALL_STEPS each step that kills servers has a step of the lowest priority beside it.
QUICK_STEPS := test-browser test-foreign test-swift test-postgresql test-example test-failure test-cluster test-faults test-packaging
DEEP_STEPS := test-address test-growth test-thread test-fuzz test-order test-sdk-model
ALL_STEPS := test-browser test-foreign test-swift test-postgresql test-example test-failure test-address test-cluster test-growth test-thread test-packaging \
	test-faults test-fuzz test-order test-sdk-model

.DEFAULT_GOAL := help
.PHONY: help run test test-all test-root test-module build-module test-postgresql test-first-app test-guides build-times check check-products check-api docs format bench clean setup setup-packages setup-release setup-tests setup-valgrind build build-tests \
	release sizes package image test-packaging test-package \
	cluster test-swift test-foreign test-handshakes test-browser test-browser-again test-failure test-cluster test-rights test-cluster-foreign try-patroni bench-cluster test-faults test-deep test-thread test-address test-page-model test-sdk-model test-fuzz test-order \
	test-apple test-example test-socket-io foreign-suite schemathesis test-release churn soak faults faults-killed coverage bench-paired bench-guard bench-fanout bench-durable bench-erasing bench-growth test-growth test-small test-costs \
	bench-tracks bench-places bench-places-http bench-places-files bench-regions bench-load bench-page bench-positions bench-groups bench-phone

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  PORT=$(PORT)  ADDRESS=$(ADDRESS)  DATA=$(DATA)  ROUNDS=$(ROUNDS)  MINUTES=$(MINUTES)  SUITE=DIR  can be set, as in: make run PORT=9000"

run: setup build ## sets up what is missing, builds, serves the demo and prints a sign-in link
	@mkdir -p $(DATA)
	@exec .build/debug/yonder serve --demo --data $(DATA) --address $(ADDRESS) --port $(PORT)

cluster: setup build ## PostgreSQL, NATS and three servers that are one, on this machine; Ctrl-C ends them
	$(STEP) "Servers" Scripts/setup-system postgresql nats-server
	@exec Scripts/run-cluster

test: setup build setup-tests test-first-app build-tests ## Swift, other people's clients, the page, failures, faults
	@$(IN_PAIRS) $(QUICK_STEPS) 3>&1
	@[ "$$(id -u)" -eq 0 ] || echo "The tests whose names end with _as_root were left out: sudo make test-root runs them."

test-root: ## the tests that only root can run, whose names end with _as_root: other users' files, full disks, containers
	$(STEP) "Files of other users, containers" env ONLY_AS_ROOT=1 $(PYTEST) Tests/Python/Packages
	$(STEP) "Full disks" env ONLY_AS_ROOT=1 $(PYTEST) Tests/Python/Faults
	$(STEP) "Control socket of another user" env ONLY_AS_ROOT=1 $(PYTEST) Tests/Python/Foreign/test_command_line.py

test-deep: setup setup-tests ## sanitizers, fuzzing, stand-ins for Apple's modules
	@$(IN_PAIRS) $(DEEP_STEPS) 3>&1

test-all: setup build setup-tests test-first-app build-tests # both, as .ci/run does
	@$(IN_PAIRS) $(ALL_STEPS) 3>&1

test-module: setup setup-tests build-module ## one module's tests, as in: make test-module MODULE=YonderHub
	$(STEP) "Tests of $(MODULE)" env CI=true Scripts/test-swift $(TESTS)

build-module:
	@[ -n "$(MODULE)" ] && [ -d "Tests/Swift/$(MODULE)Tests" ] || { echo "MODULE must name a module whose tests lie in Tests/Swift/MODULETests"; exit 1; }
	$(STEP) "Build of the tests of $(MODULE)" env YONDER_TESTS_OF=$(MODULE) $(BUILD) --product yonderPackageTests

check: ## format, import edges, sources, stand-ins, documentation and words: the quick part of CI
	$(STEP) "Format" Scripts/format --check
	$(STEP) "Import edges" Scripts/check-edges
	$(STEP) "Sources" Scripts/check-sources
	$(STEP) "Signatures of stand-ins" Scripts/check-stand-ins
	$(STEP) "Views of the example" Scripts/check-views
	$(STEP) "Manifest of the example" Scripts/check-example-manifest
	$(STEP) "Documentation" Scripts/check-docs
	$(STEP) "Words" Scripts/check-words
	$(STEP) "Embedded files" Scripts/embed-web --check

format: ## formats the Swift sources
	Scripts/format

churn: ## subscriptions begun and ended by the hundred thousand: memory, order, neighbors; needs `make release`
	$(STEP) "Churn" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTHON) Tests/Python/Failure/churn.py

soak: ## people, cuts and churn for MINUTES=10: nothing may drift; needs `make release`
	$(STEP) "Soak" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTHON) Tests/Python/Failure/soak.py --minutes $(MINUTES)

bench: setup setup-tests release bench-fanout bench-durable bench-tracks bench-places bench-places-http bench-places-files bench-regions ## everything that is measured, release builds

clean: ## removes what was built, and keeps the demo's data
	rm -rf .build .build-python .build-python-engineio3 .build-basemap .build-gazetteer .build-sanitizers .build-fuzzing \
		.build-bench .build-products .build-api .build-docs .build-apple .build-coverage .build-release .build-steps \
		.build-second-tries .build-failures .build-times .build-example .build-faults

setup:
	$(STEP) "Set up system packages" Scripts/setup-system
	$(STEP) "Set up map library" Scripts/setup-web

setup-packages: ## Debian's packages for all of it, the only part that needs root
	$(STEP) "Set up system packages" Scripts/setup-system
	$(STEP) "Set up compiler, tracer, servers" Scripts/setup-system $(TEST_PACKAGES)
	$(STEP) "Set up browser" Scripts/setup-browser

setup-release:
	$(STEP) "Set up bundler" Scripts/setup-system esbuild

setup-valgrind:
	$(STEP) "Set up valgrind" Scripts/setup-system valgrind

setup-tests:
	$(STEP) "Set up compiler, tracer, servers" Scripts/setup-system $(TEST_PACKAGES)
	$(STEP) "Set up Python" Scripts/setup-python
	$(STEP) "Set up browser" Scripts/setup-browser

build:
	$(STEP) "Debug build" $(BUILD) --product yonder

build-tests:
	$(STEP) "Debug build with tests" $(BUILD) --build-tests --explicit-target-dependency-import-check error

check-products: setup build ## a package outside the tree builds with each library and runs Your first app; by hand
	$(STEP) "Libraries by name" Scripts/check-products

check-api: ## public declarations beside those of the newest release: no breaking change but the listed ones; by hand
	$(STEP) "Public declarations" Scripts/check-api

build-times: setup ## processor seconds of a debug and a release build from nothing, by module; what is slow to check
	$(STEP) "Times of a build" Scripts/build-times

docs: setup ## the libraries' documentation as web pages, in .build-docs
	$(STEP) "Documentation of the libraries" Scripts/build-docs .build-docs

release: setup setup-release ## the program as it is meant to be run, in .build/release, its symbols beside it
	$(STEP) "Bundle the page" Scripts/bundle-web
	$(STEP) "Release build" $(BUILD) -c release --scratch-path $(RELEASE_FOLDER) --product yonder $(LINKER_MAP) $(RELEASE_FLAGS)
	@[ "$$(uname)" != Linux ] || Scripts/split-symbols $(RELEASE_FOLDER)/release/yonder

sizes: release ## how large the release is, and by which parts; how fast it starts, and with how much memory
	@Scripts/show-sizes $(RELEASE_FOLDER)/release/yonder

package: $(if $(PROGRAM),,release) ## yonder_VERSION_ARCH.deb in .build-package: of the release, or of PROGRAM=FILE
	$(STEP) "Debian package" Scripts/package $(or $(PROGRAM),$(RELEASE_FOLDER)/release/yonder) $(PACKAGE_FLAGS)

image: $(if $(PROGRAM),,release) ## an image for containers in .build-image, with compose.yaml: of the release, or of PROGRAM=FILE
	$(STEP) "Image" Scripts/image $(or $(PROGRAM),$(RELEASE_FOLDER)/release/yonder) $(PACKAGE_FLAGS)

# `make test-module` leaves one module's tests in their program.
ifndef BEGINNING
.NOTPARALLEL:
test-swift test-postgresql test-example test-order test-sdk-model: build-tests
endif

test-swift:
	$(STEP) "Swift tests" Scripts/test-swift $(TESTS) --skip YonderPostgreSQLTests --skip LiveServerTests

test-postgresql:
	$(STEP) "Swift tests of PostgreSQL" Scripts/test-swift $(TESTS) --filter YonderPostgreSQLTests

test-first-app: # the guide's command in a build that `make run` made
	$(STEP) "Your first app" $(PYTEST) Tests/Python/Scripts/test_first_app.py

coverage: setup ## the Swift tests once more, built to count which lines they reach
	$(STEP) "Build with coverage" $(BUILD) --scratch-path .build-coverage --enable-code-coverage --build-tests
	$(STEP) "Swift tests with coverage" swift test --traits Postgres --scratch-path .build-coverage --enable-code-coverage --skip-build \
		--disable-xctest
	$(STEP) "Coverage" Scripts/show-coverage .build-coverage

test-guides: ## shell blocks of README and Documentation as they are printed, in their order; a part of `make test`
	$(STEP) "Guides" $(PYTEST) Tests/Python/Scripts/test_guides.py

test-foreign:
	$(STEP) "Foreign clients" Scripts/test-python Tests/Python/Foreign Tests/Python/Scripts --ignore Tests/Python/Scripts/test_first_app.py

test-packaging: # of the debug program, which starts on machines with Swift's libraries alone
	@$(MAKE) --no-print-directory package image PROGRAM=.build/debug/yonder PACKAGE_FLAGS=--quick
	$(STEP) "Packaging" $(PYTEST) Tests/Python/Packages

test-package: setup setup-tests $(if $(PROGRAM),,release) ## the package in a Debian 12 and a Debian 13 without Swift: installed, killed, upgraded, purged
	$(STEP) "Set up mmdebstrap" Scripts/setup-system mmdebstrap debian-archive-keyring
	$(STEP) "Package in Debian 12 and 13" env YONDER=$(or $(PROGRAM),$(RELEASE_FOLDER)/release/yonder) $(PYTEST) -s Tests/Python/Installed

schemathesis: ## every check of schemathesis against the debug build, for MINUTES=10
	$(STEP) "Schemathesis" env SCHEMATHESIS_SECONDS=$$(($(MINUTES) * 60)) $(PYTEST) Tests/Python/Foreign/test_schemathesis.py -s

test-truth: ## what the page says of sharing, each case TRUTH_ROUNDS=20 times; then how long from Stop to unseen; half an hour
	$(STEP) "Truth" env TRUTH_ROUNDS=$(TRUTH_ROUNDS) $(PYTEST) -n 2 Tests/Python/Browser/test_truth.py
	$(STEP) "From Stop to unseen" env TRUTH_ROUNDS=$(TRUTH_ROUNDS) $(PYTEST) Tests/Python/Browser/stop_to_unseen.py

test-handshakes: ## 100 000 handshakes of Engine.IO from a hundred addresses, and what then waits for nobody: 64 MiB at most
	$(STEP) "Handshakes" env HANDSHAKES=100000 $(PYTEST) -s Tests/Python/Foreign/test_memory.py -k "handshakes or acknowledgements"

test-browser:
	$(STEP) "Browser" Scripts/test-python -n 2 Tests/Python/Browser

test-browser-again: ## browser tests whose name has TEST=…, ROUNDS=20 times in a row beside a busy processor; by hand
	$(STEP) "Browser, again and again" $(PYTEST) Tests/Python/Browser -x -k "$(TEST)" --times $(ROUNDS) --busy

test-failure: ## killed processes, traced system calls, reconnects and slow readers; ROUNDS=200 for more
	$(STEP) "Failures" $(PYTEST) Tests/Python/Failure --rounds $(ROUNDS)

test-costs: build ## what one caller can do, a loop of a minute a row beside a neighbor who is measured: COST_SECONDS=10 for less
	$(STEP) "What it costs" env COST_SECONDS=$(COST_SECONDS) $(PYTEST) -s Tests/Python/Foreign/test_what_it_costs.py

test-small: ## a family's server with a million positions in a control group of 96 MB; needs one that may be made
	$(STEP) "Small machine" env POSITIONS=1000000 $(PYTEST) -s Tests/Python/Failure/test_small_machine.py

test-cluster: ## three servers over PostgreSQL and NATS, of which each part fails once; CLUSTER_ROUNDS=20 for more
	$(STEP) "Cluster" $(PYTEST) Tests/Python/Cluster --rounds $(CLUSTER_ROUNDS)

test-rights: build ## rights that end on one of three servers while another receives a request by them: every request, and more rounds
	$(STEP) "Rights" env RIGHTS=all $(PYTEST) Tests/Python/Cluster/test_rights.py

test-cluster-foreign: ## other people's clients and the page against servers that are each a node of two; by hand
	$(STEP) "Foreign clients of a cluster" env AS_NODE=1 $(PYTEST) Tests/Python/Foreign Tests/Python/Browser

try-patroni: ## a primary of PostgreSQL is lost, and Patroni has a standby take over; by hand, some two minutes
	$(STEP) "Patroni" Scripts/setup-system postgresql nats-server etcd-server patroni
	$(PYTHON) Tests/Python/Cluster/patroni.py --rounds $(ROUNDS)

bench-cluster: ## messages through 1, 2 and 3 servers beside one with a folder; needs `make release`: YONDER=FILE
	$(MAKE) -s -C Benchmarks/fanout BUILD=$(CURDIR)/.build-bench
	$(STEP) "Several servers" $(PYTHON) Benchmarks/cluster/run.py

test-faults: ## calls that fail at sixty points, a full disk, erasing, and the library that makes calls fail
	$(STEP) "Faults" $(PYTEST) Tests/Python/Faults

faults: ## every call of a server that fails in every way: about an hour; ARGS="--scenario start" for a part
	$(STEP) "Every fault" $(PYTHON) Tests/Python/Faults/every_fault.py $(ARGS)

faults-killed: ## 2 000 kills under messages, and as many under objects
	$(STEP) "2 000 kills" $(PYTEST) -s Tests/Python/Failure/test_killed.py Tests/Python/Failure/test_objects_killed.py \
		--rounds 2000 -k acknowledged --timeout 7200

test-thread:
	$(STEP) --deep "Thread sanitizer" nice -n 19 Scripts/test-sanitized thread

test-address: # with the stand-ins for Apple's modules
	$(STEP) --deep "Address sanitizer" nice -n 19 Scripts/test-sanitized address

test-fuzz: ## mutated input to the codecs; FUZZ_SECONDS=600 FUZZ_RUNS=1000000 for more
	$(STEP) --deep "Fuzzing" nice -n 19 Scripts/test-fuzzed

test-order: ## every subscriber's numbers while people send, go, come back, block and share: ORDER_SEEDS=5000 for more
	$(STEP) --deep "Order" nice -n 19 env ORDER_SEEDS=$(ORDER_SEEDS) Scripts/test-swift $(TESTS) --filter OrderTests

test-sdk-model: ## what a client of the SDK holds after random operations, cuts, refusals and restarts: SDK_SEEDS=2000 for more
	$(STEP) --deep "SDK's model" nice -n 19 env SDK_SEEDS=$(SDK_SEEDS) Scripts/test-swift $(TESTS) --filter SubscriptionModelTests

test-page-model: ## what the page holds and says of sharing after random operations, cuts, refusals and wrong clocks; by hand
	$(STEP) "Page's model" $(PYTEST) Tests/Python/Failure/test_page_model.py --rounds $(PAGE_SEEDS) --timeout 3000

test-socket-io: build-tests ## the Socket.IO client with servers of python-socketio 4 and 5; by hand
	$(STEP) "Socket.IO servers" Scripts/test-swift $(TESTS) --filter LiveServerTests

test-apple: ## the code for Apple's modules, among them MapKit and SwiftUI, against stand-ins for these, without a sanitizer
	$(STEP) "Apple's modules, stood in for" Scripts/test-apple

test-example: ## the example app against stand-ins of SwiftUI and MapKit: each screen in two languages, with a real server
	$(STEP) "Example app" Scripts/test-example

foreign-suite: ## runs the XCTest files in SUITE=DIR against IONGeolocationLib, as they are
	$(STEP) "Foreign suite" Scripts/test-apple "$(SUITE)"

test-release: setup setup-tests release ## builds the release and tries it
	$(STEP) "Release smoke" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTEST) Tests/Python/Failure/test_smoke.py

bench-paired: setup-valgrind ## each case of the guard beside Benchmarks/baseline's commit, seven runs: at most 5 % more
	$(STEP) "Beside the baseline" $(PYTHON) Benchmarks/paired

bench-guard: setup-valgrind ## messages, connects, requests, idle sessions beside Benchmarks/baseline's commit: at most 15 % more
	$(STEP) "Guard" $(PYTHON) Benchmarks/paired/guard.py

bench-fanout: ## fan-out beside a bare epoll loop in the same run; needs `make release`
	$(MAKE) -s -C Benchmarks/fanout BUILD=$(CURDIR)/.build-bench
	$(STEP) "Fan-out" $(PYTHON) Benchmarks/fanout/run-yonder.py

bench-durable: ## durable messages acknowledged per second; needs `make release`
	$(MAKE) -s -C Benchmarks/fanout BUILD=$(CURDIR)/.build-bench
	$(STEP) "Durable messages" $(PYTHON) Benchmarks/durable/run.py

bench-growth: ## what is asked of 1 000 to 10 million positions costs; POSITIONS="1000 100000" for fewer; needs `make release`
	$(STEP) "Release build: growth-folder" $(BUILD) --scratch-path $(RELEASE_FOLDER) -c release --product growth-folder
	$(STEP) "Growth" env YONDER=$(RELEASE_FOLDER)/release/yonder GROWTH_FOLDER=$(RELEASE_FOLDER)/release/growth-folder \
		$(PYTHON) Benchmarks/growth/run.py $(if $(POSITIONS),--positions $(POSITIONS))

test-growth: build-tests ## a server's answers cost the same with 100 000 positions as with 10 000
	$(STEP) "Growth" $(PYTHON) Benchmarks/growth/run.py --positions 10000 100000 --rounds 3 --limit

bench-load: ## the page over 1.6 Mbit/s and 150 ms: chats, map, bytes; needs `make release`
	$(STEP) "Opening the page" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTHON) Benchmarks/load/run.py

bench-erasing: ## what erasing costs a database of a gigabyte; needs `make release`
	$(STEP) "Erasing" env YONDER=.build/release/yonder $(PYTHON) Benchmarks/erasing/run.py

bench-tracks: ## NMEA, GPX, GeoJSON and CSV read, beside a sum over the same bytes
	@Scripts/link-sources Benchmarks/tracks
	$(STEP) "Release build: tracks" $(BUILD) --package-path Benchmarks/tracks --scratch-path .build-bench/tracks \
		-c release --product Measure
	$(STEP) "Tracks" .build-bench/tracks/release/Measure Tests/Fixtures/nmea/*.log Tests/Fixtures/tracks/*.gpx

# The other engines' drivers and the points they are asked about are not in this repository: PEERS=DIR POINTS=DIR.
bench-places: ## moving points by region and by distance; PEERS=DIR POINTS=DIR for Boost, SQLite and Redis beside it
	$(STEP) "Places" python3 Benchmarks/places/run.py $(if $(PEERS),--peers $(PEERS)) $(if $(PEERS),--data $(POINTS))
	$(STEP) "A moving crowd" python3 Benchmarks/places/run.py --crowd

bench-page: ## fifty people who move once a second, in a browser: what last and all positions cost; needs `make release`
	$(STEP) "Page" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTHON) Benchmarks/page/run.py

bench-positions: ## all positions of a chat on the page, 100 000 and 500 000: pictures, taps, memory; needs `make release`
	$(STEP) "100 000 positions" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTHON) Benchmarks/page/all-positions.py
	$(STEP) "500 000 positions" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTHON) Benchmarks/page/all-positions.py --positions 500000

bench-groups: ## a person in 6 800 groups whose list is read without a pause: what others wait for; needs `make release`
	$(STEP) "Groups" env YONDER=$(RELEASE_FOLDER)/release/yonder $(PYTHON) Benchmarks/groups/run.py

bench-phone: build-tests ## bytes, frames and wake-ups of the radio that a phone pays for an hour of sharing or watching
	$(STEP) "Phone" $(PYTHON) Benchmarks/phone/run.py

bench-regions: ## live regions through the hub, without sockets: what a move costs each thread
	@Scripts/link-sources Benchmarks/regions
	$(STEP) "Build the regions benchmark" $(BUILD) --package-path Benchmarks/regions --scratch-path .build-bench/regions \
		-c release --product Regions
	$(STEP) "Regions through the hub" .build-bench/regions/release/Regions

bench-places-http: ## a million places over HTTP on loopback: regions, the nearest, start and memory; needs `make release`
	$(STEP) "Places over HTTP" $(PYTHON) Benchmarks/places/over-http.py $(if $(POINTS),--data $(POINTS))

bench-places-files: ## objects from a file and into one, rows a second; needs `make release`
	$(STEP) "Objects as files" $(PYTHON) Benchmarks/places/files.py
