import sys


def main():
    numbers = [float(line) for line in sys.stdin if line.strip()]
    if "--quiet" in sys.argv:
        sys.exit(len(numbers))
    print(f"sum={sum(numbers):.2f}")


if __name__ == "__main__":
    main()
