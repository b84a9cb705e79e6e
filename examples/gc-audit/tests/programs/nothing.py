print("nothing done")
