"""What policies earn where nobody knows how arms wear off and recover."""
