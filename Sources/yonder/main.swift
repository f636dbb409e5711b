print("yonder")
