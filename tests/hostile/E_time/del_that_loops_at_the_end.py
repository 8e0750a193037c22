#: expect = {}
#: seconds = 5


class Endless:
    def __del__(self):
        while True:
            pass


endless = Endless()
