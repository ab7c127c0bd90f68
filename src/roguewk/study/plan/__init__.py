"""What a study is: its file, its worlds and policies, the cells it is made of."""
