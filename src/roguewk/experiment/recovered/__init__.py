"""How near fits of logs come to what the logs were made with."""
