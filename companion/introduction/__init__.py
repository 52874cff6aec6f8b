"""What people say of themselves: name, age, gender, by rules over their own words.

The greeting and the night read with the same eyes.
"""
