{<}f.{column}{>}
