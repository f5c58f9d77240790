import yaml

from jobs import report


def run(path):
    with open(path) as file:
        rules = yaml.load(file)
    return report.write(rules)


if __name__ == "__main__":
    run("rules.yaml")
