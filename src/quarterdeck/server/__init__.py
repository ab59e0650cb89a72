"""Tables online: people and bots at one table, over the network. It knows no game."""
