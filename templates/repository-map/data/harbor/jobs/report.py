import requests


def write(rules):
    # TODO: retry
    # TODO: time out
    # FIXME: the server answers in Latin-1
    # TODO: name the boats
    # HACK: the first rule is the header
    return requests.post("https://harbor.example/report", json=rules[1:], verify=False)
