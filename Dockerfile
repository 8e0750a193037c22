# The sandbox image: a Python interpreter with its standard library, and the driver. Nothing else: the image starts
# from nothing and gets only what is gathered in /image below, so there is no shell, no package manager, no setuid
# program and no third-party module to remove. `grader image build` builds it; no step needs a network.
#
# BASE is any Debian with Python 3.11 or newer as `python3`: the official slim image, or what
# scripts/make-base-image makes where no registry can be reached.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS base
RUN set -eu; \
    python3 -c 'import sys; sys.version_info >= (3, 11) or sys.exit("BASE needs Python 3.11 or newer as python3")'; \
    python3="$(command -v python3)"; \
    python="$(readlink -f "$python3")"; \
    stdlib="$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"; \
    # The interpreter, and its library without what only installs packages, shows windows or ties it to the base.
    mkdir -p /image/etc; \
    cp --parents "$python" /image; \
    ln -s "$python" "/image$python3"; \
    cp --parents --recursive "$stdlib" /image; \
    cd "/image$stdlib"; \
    rm -rf site-packages dist-packages ensurepip config-* idlelib tkinter turtledemo EXTERNALLY-MANAGED sitecustomize.py; \
    find . -type d "(" -name __pycache__ -o -name test -o -name tests ")" -prune -exec rm -r {} +; \
    # The shared libraries these name, and the one glibc loads by itself when a thread ends.
    { ldd "$python" "$stdlib"/lib-dynload/*.so; ldconfig -p | grep --max-count=1 libgcc_s; } \
        | sed -nE 's,^\s(.* => )?(/[^ ]+).*,\2,p' | sort -u | xargs cp --parents --dereference --target-directory=/image; \
    cp --parents --recursive /etc/ld.so.cache /usr/lib/locale/C.utf8 /image; \
    echo 'student:x:65532:65532::/scratch:' > /image/etc/passwd; \
    chmod -R u=rwX,go=rX /image
# Of this folder, only what a driver is made of is sent to the engine.
COPY grader/sandbox/ /image/opt/grader/grader/sandbox/
# Compiled here, once: a container is read-only, and would import three times slower without.
RUN python3 -m compileall -q --invalidation-mode unchecked-hash -s /image -p / /image

FROM scratch
COPY --from=base /image /
# /scratch is where the engine mounts a small temporary file system; it is not in the image.
ENV PATH=/usr/local/bin:/usr/bin:/bin \
    PYTHONPATH=/opt/grader \
    PYTHONHASHSEED=0 \
    PYTHONUTF8=1 \
    HOME=/scratch \
    TMPDIR=/scratch \
    LANG=C.UTF-8
WORKDIR /
# A user that owns nothing.
USER 65532:65532
ENTRYPOINT ["python3", "-s", "-P", "-B", "-m", "grader.sandbox.start"]
