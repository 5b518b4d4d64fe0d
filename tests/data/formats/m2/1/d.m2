S This are a 😀 test .
A 1 2|||R:VERB|||is|||REQUIRED|||-NONE-|||0
A 4 4|||M:ADJ|||small|||REQUIRED|||-NONE-|||0
A 6 6|||M:PUNCT|||!|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine

