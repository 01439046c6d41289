# What would be commands and tags to Doxygen are words of ours: @NP, \x1b, <unk>, <s>, </s>.
/\/\/\/|^ *\/\/ /{
  s/`(<[a-z\/]*>)`/\1/g
  s/\\/\\\\/g
  s/@/\\@/g
  s#<(/?[a-z]+)>#\&lt;\1\&gt;#g
}
