S a b
A 0 1|||X|||c|||REQUIRED|||-NONE-|||0
