// Compiled before the modules whose packages aren't there without the trait, so that this is the only error.
#if !Outbox
#error(
    """
    YonderOutbox needs the trait Outbox: in your Package.swift, name it behind yonder's address and version, as \
    traits: ["Outbox"], together with the traits that stand there.
    """
)
#endif
