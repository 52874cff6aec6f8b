"""Ears, mouth and turn-taking: what happens between a microphone and a speaker."""
