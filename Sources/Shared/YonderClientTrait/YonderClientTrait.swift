// Compiled before the modules whose packages aren't there without the trait, so that this is the only error.
#if !Client
#error(
    """
    YonderClient, YonderSocketIOClient and YonderReceivers need the trait Client: in your Package.swift, name it behind yonder's address and version, as \
    traits: ["Client"], together with the traits that stand there.
    """
)
#endif
