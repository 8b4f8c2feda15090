"""What a front door asks for → adapters → the answer. The only room where adapters are built."""
