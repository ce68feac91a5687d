"""Games as an environment for reinforcement learning, by the protocol of PettingZoo (extra `zoo`)."""
