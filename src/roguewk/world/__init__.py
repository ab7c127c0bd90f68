"""What is true: arms, states, costs and a round of it all. Policies never import this folder."""
